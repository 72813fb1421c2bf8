import { expect, test } from 'vitest';
import { Problem } from '../api/problem';
import { isGone, toldOf } from './told';

const problem = (
  status: number,
  code: string,
  faults: { pointer: string; code: string; message: string }[] = [],
) => new Problem(status, code, 'What happened.', undefined, faults);

test('a missing link is invalid, an unavailable server is not', () => {
  expect(isGone(problem(404, 'not_found'))).toBe(true);
  expect(isGone(problem(503, 'unavailable'))).toBe(false);
  expect(isGone(null)).toBe(false);
});

test('shows an error of a field at the field, and others as a sentence', () => {
  const fault = { pointer: '/name', code: 'blank', message: 'must not be blank' };
  expect(toldOf(problem(422, 'validation_failed', [fault]))).toEqual({
    faults: { name: 'Must not be blank.' },
  });
  const away = problem(503, 'unavailable');
  expect(toldOf(away)).toEqual({ faults: {}, failure: away });
  expect(toldOf(null)).toEqual({ faults: {} });
});
