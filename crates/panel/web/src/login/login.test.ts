import { expect, test } from 'vitest';
import { Problem, Unreachable } from '../api/problem';
import { inLanguage } from '../i18n/testing';
import { reason } from './page';

const problem = (status: number, retryAfter?: number) =>
  new Problem(status, 'code', 'The message of the API', undefined, [], retryAfter);
const reasons = () =>
  [problem(401), problem(429, 1), problem(429, 45), problem(429, 600), new Unreachable(undefined)].map(
    reason,
  );

test('shows why a sign-in failed, and when to try again', async () => {
  expect(reasons()).toEqual([
    'The email or the password is wrong.',
    'Too many attempts. Try again in 1 second.',
    'Too many attempts. Try again in 45 seconds.',
    'Too many attempts. Try again in 10 minutes.',
    'The service cannot be reached.',
  ]);
  await inLanguage('de', () =>
    expect(reasons()).toEqual([
      'Die E-Mail-Adresse oder das Passwort ist falsch.',
      'Zu viele Versuche. Versuchen Sie es in 1 Sekunde erneut.',
      'Zu viele Versuche. Versuchen Sie es in 45 Sekunden erneut.',
      'Zu viele Versuche. Versuchen Sie es in 10 Minuten erneut.',
      'Der Dienst ist nicht erreichbar.',
    ]),
  );
});
