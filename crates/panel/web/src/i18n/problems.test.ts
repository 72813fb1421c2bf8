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
