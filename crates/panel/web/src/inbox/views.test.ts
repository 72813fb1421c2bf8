import { expect, test } from 'vitest';
import { conversation } from './testing';
import { arranged, filterOf, queryOf, readInboxSearch, rowsOf } from './views';

const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`;

test('reads an address, and ignores unknown values', () => {
  expect(readInboxSearch({ view: 'mine', order: 'waiting', channel: 'chan_1' })).toEqual({
    view: 'mine',
    order: 'waiting',
    channel: 'chan_1',
  });
  expect(readInboxSearch({ view: 'none', order: 3, channel: '' })).toEqual({});
});

test('sends filters and the order as parameters of the API', () => {
  const search = { assignee: 'none', unread: true, channel: 'chan_1' } as const;
  expect(queryOf(search, 'user_1')).toEqual({
    status: 'open',
    assignee_id: 'none',
    unread: true,
    channel_id: 'chan_1',
    sort: '-last_message_at',
  });
  expect(queryOf({ tag: 'tag_1' }, 'user_1')).toMatchObject({ tag: ['tag_1'] });
  expect(queryOf({ view: 'mine', assignee: 'user_2', order: 'waiting' }, 'user_1')).toMatchObject({
    assignee_id: 'user_1',
    sort: 'waiting_since',
  });
  expect(readInboxSearch({ assignee: 'none', unread: true })).toMatchObject({
    assignee: 'none',
    unread: true,
  });
  expect(readInboxSearch({ assignee: 1, unread: 'yes' })).toEqual({});
});

test('each view has its filter', () => {
  expect(filterOf('mine', 'user_1')).toEqual({ status: 'open', assignee_id: 'user_1' });
  expect(filterOf('bot', 'user_1')).toEqual({ status: 'pending' });
  expect(filterOf('resolved', 'user_1')).toEqual({ status: 'resolved' });
  expect(filterOf('waiting', 'user_1')).toEqual({ status: 'open', waiting: true });
  expect(filterOf('all', 'user_1')).toEqual({});
});

test('sorts by the newest message or the longest wait', () => {
  const all = [
    conversation({ id: 'a', last_message_at: at(1), waiting_since: at(1) }),
    conversation({ id: 'b', last_message_at: at(3) }),
    conversation({ id: 'c', last_message_at: at(2), waiting_since: at(0) }),
  ];
  const ids = (order: 'newest' | 'waiting') => arranged(all, order).map((it) => it.id);
  expect(ids('newest')).toEqual(['b', 'c', 'a']);
  expect(ids('waiting')).toEqual(['c', 'a', 'b']);
});

test('the view without replies lists waiting conversations, the longest wait first', () => {
  const all = [
    conversation({ id: 'a', waiting_since: at(2) }),
    conversation({ id: 'b' }),
    conversation({ id: 'c', waiting_since: at(1) }),
  ];
  const ids = (search: Parameters<typeof rowsOf>[1]) => rowsOf(all, search).map((it) => it.id);
  expect(ids({ view: 'waiting' })).toEqual(['c', 'a']);
  expect(ids({ view: 'waiting', order: 'newest' })).toEqual(['a', 'c']);
  expect(ids({})).toEqual(['a', 'b', 'c']);
});
