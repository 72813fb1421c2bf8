import { expect, test } from 'vitest';
import { faultsByField, Problem, problemOf, sentence } from './problem';
import { isWorthRepeating, pause } from './queries';

const answer = (status: number, headers = {}) => new Response(null, { status, headers });

test('reads all members of a problem', () => {
  const problem = problemOf(answer(409, { 'Retry-After': '7' }), {
    code: 'contact_exists',
    detail: 'There is one.',
    request_id: 'req_1',
    existing_id: 'contact_1',
  });
  expect(problem).toMatchObject({ status: 409, code: 'contact_exists', requestId: 'req_1', retryAfter: 7 });
  expect(problem.more).toEqual({ existing_id: 'contact_1' });
});

test('describes a response that is not a problem by its status', () => {
  const problem = problemOf(answer(502, { 'X-Request-Id': 'req_2' }), '<html>');
  expect(problem).toMatchObject({
    code: 'unknown',
    requestId: 'req_2',
    detail: 'The service answered with 502.',
  });
});

test('maps errors to their fields, and keeps the first of each field', () => {
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

test('starts a sentence with a capital letter and ends it with a full stop', () => {
  expect(sentence('is not the password')).toBe('Is not the password.');
  expect(sentence('Why?')).toBe('Why?');
});

test('retries an unavailable server with growing pauses, and never a rejected request', () => {
  const away = new Problem(503, 'unavailable', '', undefined, [], 5);
  expect(isWorthRepeating(0, away)).toBe(true);
  expect(isWorthRepeating(3, away)).toBe(false);
  expect(isWorthRepeating(0, new Problem(403, 'insufficient_role', '', undefined))).toBe(false);
  expect(pause(0, away)).toBe(5000);
  expect([0, 1, 9].map((at) => pause(at, new Error()))).toEqual([1000, 2000, 15_000]);
});
