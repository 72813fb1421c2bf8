import { expect, test } from 'vitest';
import { Problem } from '../api/problem';
import { faultsOfPassword } from './password';
import { missing } from './password-length';

test('counts the visible characters of a password', () => {
  expect(['', 'short', 'exactly ten', '0123456789', '🌊🌊🌊🌊🌊🌊🌊🌊🌊'].map(missing)).toEqual([
    10, 5, 0, 0, 1,
  ]);
});

test('reports a wrong current password at its field', () => {
  const refused = (code: string, pointer: string) =>
    new Problem(422, 'validation_failed', 'Parts are wrong.', undefined, [
      { code, pointer, message: 'is not the password' },
    ]);
  expect(faultsOfPassword(refused('wrong_password', '/current_password'))).toEqual({
    current_password: 'This is not your current password.',
  });
  expect(faultsOfPassword(refused('too_short', '/new_password'))).toEqual({
    new_password: 'Is not the password.',
  });
  expect(faultsOfPassword(new Error('away'))).toEqual({});
});
