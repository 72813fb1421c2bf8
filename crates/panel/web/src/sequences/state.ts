import type { Tone } from '../components/status';
import type { EnrollmentStatus, SequenceStatus } from './api';

const TONES: Record<SequenceStatus, Tone> = { draft: 'off', active: 'ok', paused: 'wait', archived: 'off' };

export function toneOf(status: SequenceStatus): Tone {
  return TONES[status];
}

const ENROLLED: Record<EnrollmentStatus, Tone> = {
  active: 'ok',
  paused: 'wait',
  completed: 'off',
  exited: 'off',
  failed: 'bad',
};

export const ENROLLMENT_STATUSES = Object.keys(ENROLLED) as EnrollmentStatus[];

export function toneOfEnrollment(status: EnrollmentStatus): Tone {
  return ENROLLED[status];
}
