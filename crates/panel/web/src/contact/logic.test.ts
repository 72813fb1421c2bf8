import { expect, test } from 'vitest';
import { faultsByField, Problem } from '../api/problem';
import type { Contact, TimelineEntry } from './api';
import { atFields, bodyOf, type CustomField, draftOf } from './draft';
import { shownOnce } from './shown-once';
import { told } from './told';

const at = '2026-01-01T00:00:00.000Z';
const field = (key: string, type: CustomField['type']): CustomField => ({
  id: `field_${key}`,
  key,
  name: key,
  type,
  options: [],
  validation: {},
  created_at: at,
  updated_at: at,
  version: 1,
});
const fields = [
  field('plan', 'text'),
  field('seats', 'number'),
  field('vip', 'boolean'),
  field('likes', 'multi_select'),
];

test('a draft has a text for each field, and saving sends typed values', () => {
  const contact = {
    first_name: 'Ada',
    subscribed: true,
    status: 'active',
    custom_fields: { seats: 12, likes: ['news'] },
  } as unknown as Contact;
  expect(draftOf(contact, fields)).toMatchObject({
    first_name: 'Ada',
    email: '',
    'custom_fields.seats': '12',
    'custom_fields.vip': '',
    'custom_fields.likes': ['news'],
  });
  const changed = {
    first_name: ' ',
    subscribed: false,
    'custom_fields.plan': '18',
    'custom_fields.seats': '1,5',
    'custom_fields.vip': 'false',
    'custom_fields.likes': [],
  };
  expect(bodyOf(changed, fields)).toEqual({
    first_name: null,
    subscribed: false,
    custom_fields: { plan: '18', seats: 1.5, vip: false, likes: null },
  });
  expect(bodyOf({ 'custom_fields.seats': 'many' }, fields)).toEqual({ custom_fields: { seats: 'many' } });
});

test('shows the error of a custom field at the field', () => {
  const error = new Problem(422, 'validation_failed', 'Wrong.', undefined, [
    { pointer: '/custom_fields/seats', code: 'wrong_type', message: 'a number' },
    { pointer: '/email', code: 'invalid_format', message: 'an address' },
  ]);
  expect(faultsByField(atFields(error))).toEqual({
    'custom_fields.seats': 'A number.',
    email: 'Email must be an address such as ada@example.com.',
  });
});

const NAMES: Record<string, string> = {
  flow_1: 'Welcome',
  tag_1: 'vip',
  seq_1: 'Onboarding',
  field_1: 'Plan',
  key_1: 'CRM',
  user_1: 'Grace',
};
const names = (id: string) => NAMES[id];
const entry = (kind: TimelineEntry['kind'], summary: object): TimelineEntry => ({
  id: 'x',
  kind,
  at,
  summary: summary as never,
});

test('describes in plain words why no message was sent', () => {
  const sender = { type: 'flow', id: 'flow_1' };
  const suppressed = entry('suppression', {
    status: 'suppressed',
    reason: 'human_handling',
    text: 'Hi',
    sender,
  });
  expect(told(suppressed, names)).toEqual({
    title: 'Message not sent, by flow Welcome',
    detail: 'A member handles the conversation, so bots are silent.\n“Hi”',
    tone: 'bad',
  });
  const step = entry('run_step', {
    flow_id: 'flow_1',
    run_id: 'run_1',
    node_id: 'greet',
    type: 'send_message',
    outcome: 'suppressed: blocked',
    outcome_parts: [{ code: 'suppressed', params: { reason: 'blocked' } }],
  });
  expect(told(step, names)).toMatchObject({
    title: 'Welcome: Send message',
    node: 'greet',
    detail: 'The contact is blocked.',
    tone: 'bad',
  });
});

test('describes a message with only a file by its type', () => {
  const received = entry('message', {
    direction: 'inbound',
    type: 'audio',
    text: null,
    conversation_id: 'conv_1',
  });
  expect(told(received, names).detail).toBe('[Audio]');
  const files = entry('message', {
    direction: 'inbound',
    type: 'file',
    text: null,
    files: ['a.pdf', 'b.pdf'],
  });
  expect(told(files, names).detail).toBe('[File] a.pdf and b.pdf');
  const written = entry('message', { direction: 'inbound', type: 'image', text: 'My cat' });
  expect(told(written, names).detail).toBe('My cat');
});

test('shows changes by the contact in the entry of the message', () => {
  const at = '2026-01-01T00:01:00.000Z';
  const summary = { direction: 'inbound', type: 'text', text: 'Hello', files: [], status: 'received' };
  const shown = (changes: object) => told(entry('message', { ...summary, ...changes }), names);
  expect(shown({ reactions: [] })).toMatchObject({ title: 'Message from the contact', detail: 'Hello' });
  expect(shown({ edited_at: at, reactions: ['👍', '🔥'] })).toMatchObject({
    title: 'Message from the contact, edited',
    detail: 'Hello\nReactions of the contact: 👍 🔥',
  });
  const deleted = shown({ text: null, deleted_by_contact_at: at });
  expect(deleted.detail).toBe('Deleted by the contact');
});

test('describes events with names instead of IDs', () => {
  const tagged = entry('event', {
    type: 'contact.tag_added',
    actor: { type: 'flow', id: 'flow_1' },
    data: { object: { id: 'contact_1' }, tag: { id: 'tag_1' } },
  });
  expect(told(tagged, names)).toEqual({ title: 'Tag added: vip', detail: 'by flow Welcome' });
  const left = entry('enrollment', { sequence_id: 'seq_1', status: 'exited', exit_reason: 'replied' });
  expect(told(left, names).detail).toBe('exited: the contact replied');
  const unknown = entry('event', { type: 'thing.happened', actor: { type: 'system' }, data: {} });
  expect(told(unknown, names)).toEqual({ title: 'thing.happened', detail: 'by the service' });
});

test('describes a change by the field, both values, and the member or key', () => {
  const changed = (type: string, actor: object, data: object, ...changes: object[]) =>
    told(entry('event', { type, actor, data, changes }), names);
  const key = { type: 'api_key', id: 'key_1' };
  const plan = { field: 'custom_fields.plan', previous: null, value: 'gold' };
  expect(changed('contact.field_changed', key, { field: { id: 'field_1' } }, plan)).toEqual({
    title: 'Field changed: Plan: no value → gold',
    detail: 'by API key “CRM”',
  });
  const user = { type: 'user', id: 'user_1' };
  const first = { field: 'first_name', previous: 'Ada', value: 'Augusta' };
  const consent = { field: 'subscribed', previous: true, value: false };
  expect(changed('contact.updated', user, { object: { id: 'contact_1' } }, first, consent)).toEqual({
    title: 'Contact changed',
    detail: 'First name: Ada → Augusta\nSubscribed: yes → no\nby Grace',
  });
  const assigned = { object: { assignee_id: 'user_1' } };
  expect(changed('conversation.assigned', user, assigned).title).toBe('Conversation assigned: Grace');
});

test('describes a change without values by the field', () => {
  const data = { object: { id: 'contact_1' }, field: { id: 'field_1' } };
  const actor = { type: 'user', id: 'user_gone' };
  expect(told(entry('event', { type: 'contact.field_changed', actor, data }), names)).toEqual({
    title: 'Field changed: Plan',
    detail: 'by a member',
  });
});

test('does not show an event twice if its message or enrollment has an entry', () => {
  const of = (id: string, kind: TimelineEntry['kind'], summary: object) => ({ ...entry(kind, summary), id });
  const about = (id: string) => ({ object: { id } });
  const all = [
    of('evt_5', 'event', { type: 'message.sent', data: about('msg_other') }),
    of('evt_4', 'event', { type: 'conversation.resolved', data: about('msg_1') }),
    of('evt_3', 'event', { type: 'message.delivered', data: about('msg_1') }),
    of('evt_2', 'event', { type: 'sequence.enrolled', data: about('enr_1') }),
    of('evt_1', 'event', { type: 'sequence.completed', data: about('enr_1') }),
    of('enr_1', 'enrollment', { sequence_id: 'seq_1', status: 'completed' }),
    of('msg_1', 'message', { direction: 'outbound', status: 'delivered' }),
  ];
  expect(shownOnce(all).map(({ id }) => id)).toEqual(['evt_5', 'evt_4', 'evt_1', 'enr_1', 'msg_1']);
  const events = all.filter(({ kind }) => kind === 'event');
  expect(shownOnce(events)).toEqual(events);
});
