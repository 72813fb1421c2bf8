import { expect, test } from 'vitest';
import { message } from '../sandbox/testing';
import { isOfMessage, reasonOf, senderOf, type TimelineEntry, told } from './told';

const names = new Map([
  ['flow_1', 'Welcome'],
  ['tag_1', 'vip'],
  ['seq_1', 'Onboarding'],
]);
const named = (id: string) => names.get(id);
const entry = (kind: TimelineEntry['kind'], summary: Record<string, unknown>): TimelineEntry => ({
  id: 'evt_1',
  kind,
  at: '2026-01-01T10:00:00.000Z',
  summary: summary as TimelineEntry['summary'],
});

test('describes events with the names of their objects', () => {
  const of = (type: string, data: object) => told(entry('event', { type, data }), named);
  expect(of('contact.tag_added', { tag: { id: 'tag_1' } })).toBe('Tag added: vip');
  expect(of('flow.started', { object: { flow_id: 'flow_1' } })).toBe('Flow started: Welcome');
  expect(of('flow.started', { object: { flow_id: 'flow_gone' } })).toBe('Flow started');
  expect(of('something.new', {})).toBe('something new');
  expect(told(entry('suppression', { reason: 'blocked' }), named)).toBe('Not sent: the contact is blocked');
  expect(told(entry('enrollment', { sequence_id: 'seq_1', status: 'active' }), named)).toBe(
    'Sequence Onboarding, now active',
  );
});

test('recognises messages by the type of the entry or event', () => {
  expect(isOfMessage(entry('event', { type: 'message.sent' }))).toBe(true);
  expect(isOfMessage(entry('message', {}))).toBe(true);
  expect(isOfMessage(entry('suppression', {}))).toBe(false);
});

test('shows an unknown reason unchanged', () => {
  expect(reasonOf('human_handling')).toBe('a member handles this conversation');
  expect(reasonOf('moon_phase')).toBe('moon phase');
  expect(reasonOf(null)).toBe('unknown reason');
});

test('names known senders, and describes unknown ones', () => {
  const by = (sender: object) =>
    senderOf(message({ sender: sender as never }), (id) => (id === 'user_me' ? 'you' : 'a colleague'), named);
  expect(by({ type: 'flow', id: 'flow_1' })).toBe('flow Welcome');
  expect(by({ type: 'flow', id: 'flow_2' })).toBe('a flow');
  expect(by({ type: 'user', id: 'user_me' })).toBe('you');
  expect(by({ type: 'api_key', id: 'key_1' })).toBe('API key');
});
