import { expect, test } from 'vitest';
import { conversation } from './testing';
import { arranged, filterOf, readInboxSearch, unreadIn } from './views';

const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`;

test('an address is read, and what it does not know is left out', () => {
  expect(readInboxSearch({ view: 'mine', order: 'waiting', channel: 'chan_1' })).toEqual({
    view: 'mine',
    order: 'waiting',
    channel: 'chan_1',
  });
  expect(readInboxSearch({ view: 'all', order: 3, channel: '' })).toEqual({});
});

test('each view is one question', () => {
  expect(filterOf('mine', 'user_1')).toEqual({ status: 'open', assignee_id: 'user_1' });
  expect(filterOf('bot', 'user_1')).toEqual({ status: 'pending' });
  expect(filterOf('resolved', 'user_1')).toEqual({ status: 'resolved' });
});

test('the newest is first, or who waits longest', () => {
  const all = [
    conversation({ id: 'a', last_message_at: at(1), waiting_since: at(1) }),
    conversation({ id: 'b', last_message_at: at(3) }),
    conversation({ id: 'c', last_message_at: at(2), waiting_since: at(0) }),
  ];
  const ids = (order: 'newest' | 'waiting') => arranged(all, order).map((it) => it.id);
  expect(ids('newest')).toEqual(['b', 'c', 'a']);
  expect(ids('waiting')).toEqual(['c', 'a', 'b']);
});

test('a conversation counts once, however much is unread in it', () => {
  expect(
    unreadIn([conversation({ unread_count: 3 }), conversation({}), conversation({ unread_count: 1 })]),
  ).toBe(2);
});
