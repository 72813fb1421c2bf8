import { beforeAll, expect, test } from 'vitest';
import { Problem } from '../api/problem';
import { inLanguage } from '../i18n/testing';
import { faultsByRule } from './faults';
import { type Field, fieldsOf, kindsOf, NOTHING } from './fields';
import { type Condition, OPERATORS } from './grammar';
import {
  group,
  hasRoom,
  isGroup,
  isReady,
  levels,
  mayNest,
  read,
  replaced,
  rule,
  rulesIn,
  write,
} from './model';
import { durationOf, durationParts, instantOf, type Kinds, localTime } from './values';
import { described } from './words';

const at = '2026-01-01T00:00:00.000Z';
const common = { created_at: at, updated_at: at, version: 1 };
const vocabulary = {
  ...NOTHING,
  tags: [
    { ...common, id: 'tag_vip', name: 'VIP', color: null, description: null, contact_count: 1 },
    { ...common, id: 'tag_lead', name: 'lead', color: null, description: null, contact_count: 1 },
  ],
  customFields: [
    {
      ...common,
      id: 'field_age',
      key: 'age',
      name: 'Age',
      type: 'number' as const,
      options: [],
      validation: {},
    },
  ],
};
let fields: Field[];
let kinds: Kinds;
beforeAll(() => {
  fields = fieldsOf(vocabulary);
  kinds = kindsOf(fields);
});

const age: Condition = { field: 'custom_fields.age', op: 'gte', value: 18 };
const tagged: Condition = { field: 'tags', op: 'has', value: 'tag_vip' };
const named: Condition = { field: 'first_name', op: 'in', value: ['Ada', '18'] };

test.each<Condition>([
  age,
  tagged,
  { all: [age, tagged] },
  { any: [age, { all: [tagged, named] }] },
  { not: { any: [age, tagged] } },
  { all: [{ not: age }, { field: 'email', op: 'exists' }] },
  { not: { not: { all: [age, tagged] } } },
  { all: [] },
  { any: [] },
  { field: 'subscribed', op: 'eq', value: false },
  { field: 'external_id', op: 'eq', value: '18' },
  { field: 'created_at', op: 'between', value: [at, at] },
  {
    all: [
      { field: 'vars.count', op: 'eq', value: 18 },
      { field: 'vars.count', op: 'eq', value: '18' },
    ],
  },
])('a condition comes back from the builder as it was: %j', (condition) => {
  expect(write(read(condition), kinds).condition).toEqual(condition);
});

test('reduces a group of one rule to the rule', () => {
  expect(write(read({ all: [{ any: [age] }] }), kinds).condition).toEqual(age);
});

test('a field with only presence operators needs no value', () => {
  expect(kinds('avatar_url')).toBe('presence');
  expect(OPERATORS.presence).toEqual(['exists', 'not_exists']);
  expect(isReady(group([rule('avatar_url', 'exists')]))).toBe(true);
  expect(described({ field: 'avatar_url', op: 'not_exists' }, fields)).toBe('Picture has no value');
});

test('sends an invalid value as typed, so the API can reject it', () => {
  const root = group([rule('custom_fields.age', 'eq', ['many'])]);
  expect(write(root, kinds).condition).toEqual({ field: 'custom_fields.age', op: 'eq', value: 'many' });
});

test('a condition is ready when each rule is complete', () => {
  expect(isReady(group())).toBe(false);
  expect(isReady(group([rule('email', 'exists')]))).toBe(true);
  expect(isReady(group([rule('email', 'eq', [' '])]))).toBe(false);
  expect(isReady(group([rule('custom_fields.age', 'between', ['1', ''])]))).toBe(false);
  expect(isReady(group([rule('email', 'exists'), rule()]))).toBe(false);
});

test('replaces and removes rules at any depth, and removes emptied groups', () => {
  const [first, second] = [rule('email', 'exists'), rule('phone', 'exists')];
  const inner = group([second], 'any');
  const root = group([first, inner]);
  expect(
    rulesIn(replaced(root, second.id, (it) => ({ ...it, field: 'name' }) as typeof second))[1]?.field,
  ).toBe('name');
  const without = replaced(root, second.id, () => undefined);
  expect(without.items.some(isGroup)).toBe(false);
});

test('limits the depth and the number of rules', () => {
  expect(levels(read({ any: [age, { all: [tagged, named] }] }))).toBe(2);
  expect([1, 2, 3, 4].map(mayNest)).toEqual([true, true, true, false]);
  expect(hasRoom(group(Array.from({ length: 50 }, () => rule())))).toBe(false);
});

test('maps API errors to their rules', () => {
  const root = read({ all: [age, { not: { any: [tagged, named] } }] });
  const { places } = write(root, kinds);
  const error = new Problem(422, 'validation_failed', 'Wrong.', undefined, [
    { pointer: '/filter/all/0/value', code: 'wrong_type', message: 'a number' },
    { pointer: '/filter/all/1/not/any/1/field', code: 'unknown_field', message: 'none' },
    { pointer: '/name', code: 'required', message: 'elsewhere' },
  ]);
  const rules = rulesIn(root);
  expect(faultsByRule(error, places, '/filter')).toEqual({
    [rules[0]?.id ?? '']: 'A number.',
    [rules[2]?.id ?? '']: 'None.',
  });
});

test('describes a condition as a sentence', () => {
  const says = (condition: Condition) => described(condition, fields);
  expect(says({ all: [age, { any: [tagged, { field: 'tags', op: 'in', value: ['vip', 'LEAD'] }] }] })).toBe(
    'Age is at least 18 and (Tags include VIP or Tags include one of VIP, lead)',
  );
  expect(says({ not: { field: 'email', op: 'exists' } })).toBe('not (Email has a value)');
  expect(says({ field: 'created_at', op: 'within_last', value: 'P1D' })).toBe(
    'Created is within the last 1 day',
  );
  expect(says({ field: 'subscribed', op: 'eq', value: true })).toBe('Subscribed is yes');
  expect(says({ field: 'conversation.status', op: 'eq', value: 'open' })).toBe(
    'Conversation: Status is open',
  );
  expect(says({ field: 'created_at', op: 'before', value: '2026-03-05T12:04:00.000' })).toBe(
    'Created is before 5 March 2026, 12:04',
  );
  expect(says({ all: [] })).toBe('all contacts');
  expect(says({ field: 'custom_fields.gone', op: 'eq', value: 'x' })).toBe('custom_fields.gone is x');
});

test('describes a condition as a German sentence', () =>
  inLanguage('de', () => {
    const says = (condition: Condition) => described(condition, fieldsOf(vocabulary));
    expect(says({ any: [tagged, { field: 'first_name', op: 'starts_with', value: 'A' }] })).toBe(
      'Tags enthalten VIP oder Vorname beginnt mit „A“',
    );
    expect(says({ field: 'last_message_at', op: 'within_last', value: 'P3D' })).toBe(
      'Letzte Nachricht ist nicht älter als 3 Tage',
    );
    expect(says({ not: { field: 'conversation.handler', op: 'eq', value: 'ai' } })).toBe(
      'nicht (Unterhaltung: Bearbeitet von ist KI)',
    );
  }));

test('formats times and durations in words', () => {
  expect(instantOf(localTime(at))).toBe(at);
  expect(localTime('never')).toBe('');
  expect(durationParts('PT30M')).toEqual({ count: '30', unit: 'minutes' });
  expect(durationParts('P1DT2H')).toBeUndefined();
  expect(durationOf('3', 'weeks')).toBe('P3W');
  expect(durationOf('', 'days')).toBe('');
});
