import type { Tone } from '../components/status';
import { texts } from '../i18n/texts';
import type { FlowStatus } from './api';

const t = texts('flows');

const TONES: Record<FlowStatus, Tone> = { draft: 'off', active: 'ok', paused: 'wait', archived: 'off' };

/** The status of a flow in words, with the published version. */
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

/** The number of runs that a new version would affect. */
export function inFlight(stats: { active: number; waiting: number }): number {
  return stats.active + stats.waiting;
}
