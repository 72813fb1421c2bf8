import { expect, test } from 'vitest';
import { faultsByField, Problem, Unreachable } from '../api/problem';
import { told } from '../components/states';
import { inLanguage } from './testing';

const fault = { pointer: '/name', code: 'blank', message: 'must not be blank' };
const taken = new Problem(409, 'name_taken', 'a tag is called so', undefined, [fault]);
const unknown = new Problem(409, 'moon_phase', 'The moon is full.', undefined, [{ ...fault, code: 'x' }]);

test('an English page shows the message of the API', () => {
  expect(told(taken)).toBe('A tag is called so.');
  expect(faultsByField(taken)).toEqual({ name: 'Must not be blank.' });
});

test('another language translates the code, or shows the message of an unknown one', () =>
  inLanguage('de', () => {
    expect(told(taken)).toBe('Der Name ist bereits vergeben. Wählen Sie einen anderen Namen.');
    expect(faultsByField(taken)).toEqual({ name: 'Dieses Feld darf nicht leer sein.' });
    expect(told(unknown)).toBe('The moon is full.');
    expect(faultsByField(unknown)).toEqual({ name: 'Must not be blank.' });
    expect(told(new Unreachable(undefined))).toBe('Der Dienst ist nicht erreichbar.');
  }));

const limited = (detail: string, retryAfter?: number) =>
  new Problem(429, 'rate_limited', detail, undefined, [], retryAfter);

test('shows after how many seconds another attempt can succeed', () => {
  const used = "The plan's requests per minute are used up.";
  expect(told(limited(`${used} Retry after \`Retry-After\` seconds.`, 30))).toBe(
    `${used} Try again in 30 seconds.`,
  );
  expect(told(limited('Send fewer, and retry after `Retry-After` seconds.', 1))).toBe(
    'Send fewer, and try again in 1 second.',
  );
  expect(told(limited('Retry after `Retry-After` seconds.'))).toBe('Try again later.');
  expect(told(limited('Slow down', 2))).toBe('Slow down. Try again in 2 seconds.');
});

test('shows the seconds in another language', () =>
  inLanguage('de', () => {
    const detail = 'Retry after `Retry-After` seconds.';
    const used = 'Die Anfragen pro Minute des Tarifs sind verbraucht.';
    expect(told(limited(detail, 30))).toBe(`${used} Versuchen Sie es in 30 Sekunden erneut.`);
    expect(told(limited(detail))).toBe(`${used} Versuchen Sie es später erneut.`);
  }));

const wrong = (pointer: string, code = 'invalid_value') =>
  new Problem(422, 'validation_failed', 'Wrong.', undefined, [{ pointer, code, message: 'expected `x`' }]);

test('describes a wrong format with the label of the field and an example', async () => {
  const email = 'Email must be an address such as ada@example.com.';
  expect(faultsByField(wrong('/email'))).toEqual({ email });
  expect(faultsByField(wrong('/email', 'invalid_format'))).toEqual({ email });
  expect(faultsByField(wrong('/email', 'blank'))).toEqual({ email: 'Expected `x`.' });
  expect(faultsByField(wrong('/order'))).toEqual({ order: 'Expected `x`.' });
  expect(faultsByField(wrong('/custom_fields/email'))).toEqual({ custom_fields: 'Expected `x`.' });
  await inLanguage('de', () => {
    expect(faultsByField(wrong('/email'))).toEqual({
      email: 'E-Mail muss eine Adresse wie ada@example.com sein.',
    });
    expect(faultsByField(wrong('/order'))).toEqual({ order: 'Der Wert ist ungültig.' });
  });
});
