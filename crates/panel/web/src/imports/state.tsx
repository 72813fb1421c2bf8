import { Status, type Tone } from '../components/status';
import { imports as words } from '../i18n/en/imports';
import type { Import } from './api';

const TONES: Record<Import['status'], Tone> = {
  queued: 'wait',
  running: 'wait',
  completed: 'ok',
  cancelled: 'off',
  failed: 'bad',
};

/** How far an import is, in a word. */
export function ImportState({ status }: Pick<Import, 'status'>) {
  return <Status tone={TONES[status]}>{words.statuses[status]}</Status>;
}

/** Whether nothing more comes of it; what is not known yet goes on. */
export function isOver(it: Pick<Import, 'status'> | undefined): boolean {
  return it !== undefined && it.status !== 'queued' && it.status !== 'running';
}
