import { expect, test } from 'vitest';
import { faultsByField, Problem, problemOf, sentence } from './problem';
import { isWorthRepeating, pause } from './queries';

const answer = (status: number, headers = {}) => new Response(null, { status, headers });

test('a problem is read with everything that it says', () => {
  const problem = problemOf(answer(409, { 'Retry-After': '7' }), {
    code: 'contact_exists',
    detail: 'There is one.',
    request_id: 'req_1',
    existing_id: 'contact_1',
  });
  expect(problem).toMatchObject({ status: 409, code: 'contact_exists', requestId: 'req_1', retryAfter: 7 });
  expect(problem.more).toEqual({ existing_id: 'contact_1' });
});

test('an answer that is no problem detail is told by its status', () => {
  const problem = problemOf(answer(502, { 'X-Request-Id': 'req_2' }), '<html>');
  expect(problem).toMatchObject({
    code: 'unknown',
    requestId: 'req_2',
    detail: 'The service answered with 502.',
  });
});

test('faults go to their fields, the first of a field wins', () => {
  const faults = [
    { pointer: '/name', code: 'too_long', message: 'must be shorter' },
    { pointer: '/name/0', code: 'x', message: 'another' },
    { pointer: '/a~1b', code: 'y', message: 'odd' },
    { parameter: 'limit', code: 'z', message: 'not of the body' },
  ];
  const problem = new Problem(422, 'validation_failed', '', undefined, faults);
  expect(faultsByField(problem)).toEqual({ name: 'Must be shorter.', 'a/b': 'Odd.' });
  expect(faultsByField(new Error('x'))).toEqual({});
});

test('a sentence begins large and ends with a stop', () => {
  expect(sentence('is not the password')).toBe('Is not the password.');
  expect(sentence('Why?')).toBe('Why?');
});

test('what is away is asked again, later and later; what is refused is not', () => {
  const away = new Problem(503, 'unavailable', '', undefined, [], 5);
  expect(isWorthRepeating(0, away)).toBe(true);
  expect(isWorthRepeating(3, away)).toBe(false);
  expect(isWorthRepeating(0, new Problem(403, 'insufficient_role', '', undefined))).toBe(false);
  expect(pause(0, away)).toBe(5000);
  expect([0, 1, 9].map((at) => pause(at, new Error()))).toEqual([1000, 2000, 15_000]);
});
