import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { session } from '../app/session';
import { problem, serve } from '../settings/testing';
import { many } from './bulk';
import { named, outcomeOf, tagging } from './bulk-tags';

const ids = (count: number) => Array.from({ length: count }, (_, at) => `contact_${at}`);
const vip = { id: 'tag_vip', name: 'vip' };
const contact = (id: string, tags: object[] = []) => ({ id, tags }) as never;
const operation = (status: string, type = 'tag') =>
  ({ id: 'bulk_1', status, action: { type, tag_id: 'tag_vip' }, done: 0, error: null }) as never;

test('selects contacts by comparisons with a hundred IDs each', () => {
  expect(named(ids(2))).toEqual({ field: 'id', op: 'in', value: ['contact_0', 'contact_1'] });
  const { any } = named(ids(201)) as { any: { value: string[] }[] };
  expect(any.map((it) => it.value.length)).toEqual([100, 100, 1]);
});

test('reports the outcome of each contact that was tried before a cancel', () => {
  const now = new Map([
    ['a', contact('a', [vip])],
    ['b', contact('b')],
  ]);
  const all = ['a', 'b', 'c'];
  const gone = 'The contact was deleted or merged in the meantime.';
  expect(outcomeOf(all, now, operation('completed'), 'tag_vip')).toEqual({
    a: undefined,
    b: 'A contact can have at most 100 tags.',
    c: gone,
  });
  expect(outcomeOf(all, now, operation('cancelled'), 'tag_vip')).toEqual({ a: undefined, c: gone });
  expect(outcomeOf(all, now, operation('cancelled', 'untag'), 'tag_vip')).toEqual({ b: undefined, c: gone });
  const failed = {
    ...(operation('failed') as object),
    error: { code: 'tag_deleted', message: 'the tag is gone' },
  };
  expect(outcomeOf(['b'], now, failed as never, 'tag_vip')).toEqual({ b: 'The tag is gone.' });
});

test('uses a tag that was created concurrently, and cancels the operation on abort', async () => {
  vi.spyOn(session, 'accessToken').mockResolvedValue('token');
  const stop = new AbortController();
  const { asked } = serve({
    'POST /api/v1/tags': () =>
      Response.json(
        { status: 409, code: 'name_taken', detail: 'It is taken.', existing_id: 'tag_vip' },
        { status: 409 },
      ),
    'POST /api/v1/contacts/bulk': () => operation('running'),
    'GET /api/v1/contacts/bulk/bulk_1': () => {
      stop.abort();
      return operation('running');
    },
    'POST /api/v1/contacts/bulk/bulk_1/cancel': () => operation('cancelled'),
    'POST /api/v1/contacts/search': () => ({ data: [contact('contact_0', [vip]), contact('contact_1')] }),
  });
  const action = tagging(new QueryClient(), 'ws_live', 'tag', { name: 'VIP' });
  const sleep = async () => undefined;
  const end = await many({ ...action, ids: ids(2), signal: stop.signal, onProgress: () => undefined, sleep });
  expect(end).toEqual({ total: 2, done: 1, failed: [] });
  expect(asked.filter((it) => it.endsWith('/cancel'))).toHaveLength(1);
});

test('reports the reason for each contact if the operation does not start', async () => {
  vi.spyOn(session, 'accessToken').mockResolvedValue('token');
  serve({ 'POST /api/v1/contacts/bulk': () => problem(422, 'limit_exceeded', 'Three of them run already.') });
  const action = tagging(new QueryClient(), 'ws_live', 'untag', { tag_id: 'tag_vip' });
  const open = new AbortController().signal;
  const end = await many({ ...action, ids: ids(2), signal: open, onProgress: () => undefined });
  expect(end.failed).toEqual([{ message: 'Three of them run already.', ids: ids(2) }]);
});
