import type { Tone } from '../components/status';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import type { FlowRun, RunStatus } from './runs-api';

const t = texts('flow-runs');

const TONES: Record<RunStatus, Tone> = {
  active: 'wait',
  waiting: 'wait',
  completed: 'ok',
  interrupted: 'off',
  expired: 'off',
  failed: 'bad',
};

/** The statuses in the order of the filter. */
export const STATUSES = Object.keys(TONES) as RunStatus[];

export function toneOf(status: RunStatus): Tone {
  return TONES[status];
}

/** Whether a run is active or waiting. Only then can it be cancelled. */
export function lives({ status }: Pick<FlowRun, 'status'>): boolean {
  return status === 'active' || status === 'waiting';
}

/** The reason why a run failed or waits, in a line. */
export function whereIs(run: Pick<FlowRun, 'wait' | 'error' | 'node_id'>): string {
  if (run.error) return errorMessage(run.error);
  if (run.wait) return t(`runs.waits.${run.wait.kind}`);
  return '';
}
