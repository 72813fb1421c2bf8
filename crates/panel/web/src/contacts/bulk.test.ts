import { expect, test, vi } from 'vitest';
import { Problem } from '../api/problem';
import { type Going, many, type Outcome, type Progress, tried } from './bulk';

const ids = Array.from({ length: 7 }, (_, at) => `contact_${at}`);
const fine = async (some: string[]): Promise<Outcome> =>
  Object.fromEntries(some.map((id) => [id, undefined]));
const open = new AbortController().signal;

test('runs in batches, and reports the progress also within a request', async () => {
  const seen: Progress[] = [];
  const act = vi.fn(async (some: string[], { tell }: Going) => {
    tell(1);
    return fine(some);
  });
  const end = await many({ ids, size: 3, act, signal: open, onProgress: (it) => seen.push(it) });
  expect(act.mock.calls.map(([some]) => some.length)).toEqual([3, 3, 1]);
  expect(seen.map((it) => it.done)).toEqual([1, 3, 4, 6, 7, 7]);
  expect(end).toEqual({ total: 7, done: 7, failed: [] });
});

test('reports an error once, with all its contacts', async () => {
  const act = async (some: string[]) => Object.fromEntries(some.map((id) => [id, 'No.']));
  const end = await many({ ids, size: 2, act, signal: open, onProgress: () => undefined });
  expect(end.failed).toEqual([{ message: 'No.', ids }]);
  expect(tried(end)).toBe(7);
});

test('waits for the rate limit, and continues', async () => {
  const sleep = vi.fn(async () => undefined);
  const act = vi
    .fn(fine)
    .mockRejectedValueOnce(new Problem(429, 'rate_limited', 'Too many.', undefined, [], 7));
  const end = await many({
    ids,
    size: 100,
    act,
    signal: open,
    onProgress: () => undefined,
    sleep,
  });
  expect(sleep).toHaveBeenCalledWith(7000);
  expect(end.done).toBe(7);
});

test('keeps the results when it is stopped', async () => {
  const stop = new AbortController();
  const act = async (some: string[]) => {
    stop.abort();
    return fine(some);
  };
  const end = await many({ ids, size: 2, act, signal: stop.signal, onProgress: () => undefined });
  expect(end.done).toBe(2);
});
