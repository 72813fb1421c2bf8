import type { Tone } from '../components/status';
import { en } from '../i18n/en';
import type { FlowStatus } from './api';

const TONES: Record<FlowStatus, Tone> = { draft: 'off', active: 'ok', paused: 'wait', archived: 'off' };

/** What a flow does now, in a word, with the version that it does. */
export function stateOf(flow: { status: FlowStatus; version_published: number | null }): {
  tone: Tone;
  word: string;
} {
  const word = en.flows.states[flow.status];
  return {
    tone: TONES[flow.status],
    word: flow.version_published === null ? word : en.flows.atVersion(word, flow.version_published),
  };
}

/** How many runs a new version would meet. */
export function inFlight(stats: { active: number; waiting: number }): number {
  return stats.active + stats.waiting;
}
