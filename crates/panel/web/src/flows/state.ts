import type { Tone } from '../components/status';
import { texts } from '../i18n/texts';
import type { FlowStatus } from './api';

const t = texts('flows');

const TONES: Record<FlowStatus, Tone> = { draft: 'off', active: 'ok', paused: 'wait', archived: 'off' };

/** What a flow does now, in a word, with the version that it does. */
export function stateOf(flow: { status: FlowStatus; version_published: number | null }): {
  tone: Tone;
  word: string;
} {
  const status = t(`statuses.${flow.status}`);
  return {
    tone: TONES[flow.status],
    word:
      flow.version_published === null
        ? status
        : t('statusAtVersion', { status, version: String(flow.version_published) }),
  };
}

/** How many runs a new version would meet. */
export function inFlight(stats: { active: number; waiting: number }): number {
  return stats.active + stats.waiting;
}
