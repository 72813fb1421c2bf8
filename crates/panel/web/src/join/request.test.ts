import { expect, test } from 'vitest';
import { Problem } from '../api/problem';
import { isGone, requestOf, toldOfJoining } from './request';

const problem = (
  status: number,
  code: string,
  faults: { pointer: string; code: string; message: string }[] = [],
) => new Problem(status, code, 'What happened.', undefined, faults);

test('the form becomes the request, with the password as it was typed', () => {
  expect(requestOf('  Grace Hopper ', ' ten  chars ')).toEqual({
    body: { name: 'Grace Hopper', password: ' ten  chars ' },
  });
});

test('a password that is too short is not sent', () => {
  expect(requestOf('Grace', '123456789')).toEqual({ faults: { password: 'One more character is needed.' } });
});

test('an invitation that is not there is gone; a service that is away is not', () => {
  expect(isGone(problem(404, 'not_found'))).toBe(true);
  expect(isGone(problem(503, 'unavailable'))).toBe(false);
  expect(isGone(null)).toBe(false);
});

test('what is wrong stands at its field, an address that is taken by now in a sentence', () => {
  const fault = { pointer: '/name', code: 'blank', message: 'must not be blank' };
  expect(toldOfJoining(problem(422, 'validation_failed', [fault]), 'g@x.example')).toEqual({
    faults: { name: 'Must not be blank.' },
  });
  const taken = toldOfJoining(problem(409, 'name_taken'), 'g@x.example');
  expect((taken.failure as Error).message).toContain('an account as g@x.example by now');
  expect(toldOfJoining(null, 'g@x.example')).toEqual({ faults: {} });
});
