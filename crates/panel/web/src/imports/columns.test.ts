import { expect, test } from 'vitest';
import type { components } from '../api/schema';
import { columnsOf, faultsOf, guessed, targetsOf } from './columns';

const plan = { key: 'plan', name: 'Current plan' } as components['schemas']['CustomField'];

test('columns are known by the names that people give them', () => {
  const columns = ['E-Mail', 'First Name', 'Surname', 'MOBILE', 'current plan', 'tags', 'Notes', 'id'];
  expect(guessed(columns, [plan])).toEqual([
    'email',
    'first_name',
    'last_name',
    'phone',
    'custom_fields.plan',
    'tags',
    '-',
    '-',
  ]);
});

test('of two columns that could be the same, the first is', () => {
  expect(guessed(['email', 'E-mail address'], [])).toEqual(['email', '-']);
});

test('only what a name does not say is asked for', () => {
  const columns = ['email', 'Plan', 'Notes', '-'];
  expect(columnsOf({ columns }, ['email', 'custom_fields.plan', '-', '-'])).toEqual([
    'Plan:custom_fields.plan',
    'Notes:-',
  ]);
});

test('contacts are known again by one of three columns, and nothing is told twice', () => {
  expect(faultsOf(['first_name', '-']).table).toMatch(/External id, E-mail or Phone/);
  expect(faultsOf(['email', '-', '-'])).toEqual({ columns: [undefined, undefined, undefined] });
  const { columns } = faultsOf(['email', 'email', 'phone']);
  expect(columns.map(Boolean)).toEqual([true, true, false]);
});

test('custom fields are offered where there are some', () => {
  expect(targetsOf([]).length).toBe(2);
  expect(targetsOf([plan])[2]?.items).toEqual([{ value: 'custom_fields.plan', label: 'Current plan' }]);
});
