import { expect, test } from 'vitest';
import { message } from '../sandbox/testing';
import { itemsOf, type Pages, withLatest, withMessage } from './items';

const at = (minute: number, day = 1) => new Date(2026, 0, day, 10, minute).toISOString();
const one = (id: string, minute: number) => message({ id, created_at: at(minute) });
const pages = (...all: string[][]): Pages => ({
  pages: all.map((ids, index) => ({
    data: ids.map((id) => one(id, Number(id.slice(1)))),
    next_cursor: `c${index}`,
  })),
  pageParams: all.map((_, index) => (index === 0 ? undefined : `c${index - 1}`)),
});
const idsOf = (known: Pages | undefined) => known?.pages.map((page) => page.data.map((it) => it.id));

test('adds new messages in front, and keeps loaded ones', () => {
  const known = pages(['m4', 'm3'], ['m2', 'm1']);
  const latest = { data: [one('m5', 5), one('m4', 4)], next_cursor: 'x' };
  expect(idsOf(withLatest(known, latest))).toEqual([
    ['m5', 'm4', 'm3'],
    ['m2', 'm1'],
  ]);
});

test('keeps the same data if there are no new messages', () => {
  const known = pages(['m4', 'm3'], ['m2', 'm1']);
  expect(withLatest(known, { data: [one('m4', 4), one('m3', 3)], next_cursor: 'c0' })).toBe(known);
});

test('uses the status of the newer version', () => {
  const known = pages(['m4']);
  const read = { ...one('m4', 4), version: 2, status: 'read' as const };
  const now = withLatest(known, { data: [read], next_cursor: null });
  expect(now.pages[0]?.data[0]?.status).toBe('read');
  expect(withMessage(now, one('m4', 4))?.pages[0]?.data[0]?.status).toBe('read');
});

test('keeps only the newest page if there would be a gap', () => {
  const known = pages(['m4', 'm3'], ['m2', 'm1']);
  const latest = { data: [one('m59', 59), one('m58', 58)], next_cursor: 'x' };
  expect(idsOf(withLatest(known, latest))).toEqual([['m59', 'm58']]);
});

test('shows resolves as lines between messages, also on days without messages', () => {
  const resolve = (id: string, time: string) => ({ id, at: time, actor: { type: 'user' as const } });
  const items = itemsOf(
    [message({ id: 'a', created_at: at(1) }), message({ id: 'b', created_at: at(3) })],
    [resolve('late', at(5, 2)), resolve('between', at(2)), resolve('before', at(0))],
  );
  expect(items.map((it) => it.key)).toEqual(['day a', 'a', 'between', 'b', 'day late', 'late']);
  expect(items[1]).toMatchObject({ kind: 'message', last: true });
});

test('shows a subject where the thread changes', () => {
  const mail = (id: string, minute: number, thread: string | null) =>
    message({ id, created_at: at(minute), thread: thread === null ? null : { id: thread, subject: thread } });
  const linesOf = (...mails: ReturnType<typeof mail>[]) =>
    itemsOf(mails).map((it) => (it.kind === 'subject' ? it.subject : it.key));
  const one = [mail('a', 1, 'Order'), mail('b', 1, 'Order'), mail('note', 1, null)];
  expect(linesOf(...one)).toEqual(['day a', 'a', 'b', 'note']);
  const mails = [...one, mail('c', 1, 'Order'), mail('d', 1, 'Tea'), mail('e', 9, 'Order')];
  const expected = ['day a', 'Order', 'a', 'b', 'note', 'c', 'Tea', 'd', 'Order', 'e'];
  expect(linesOf(...mails)).toEqual(expected);
  const last = itemsOf(mails).flatMap((it) => (it.kind === 'message' && it.last ? [it.key] : []));
  expect(last).toEqual(['b', 'note', 'c', 'd', 'e']);
});

test('shows days between messages, and one line of details below a group', () => {
  const items = itemsOf([
    message({ id: 'a', created_at: at(1) }),
    message({ id: 'b', created_at: at(2) }),
    message({ id: 'c', created_at: at(9) }),
    message({ id: 'd', created_at: at(9, 2), status: 'suppressed' }),
  ]);
  expect(items.map((it) => `${it.kind} ${it.key} ${it.kind === 'message' ? it.last : ''}`.trim())).toEqual([
    'day day a',
    'message a false',
    'message b true',
    'message c true',
    'day day d',
    'unsent d',
  ]);
});
