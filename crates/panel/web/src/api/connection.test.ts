import { afterEach, expect, test, vi } from 'vitest';
import { isReachable, loadPart, noteReachable } from './connection';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  noteReachable(true);
});

test('a part that cannot be loaded waits for the service, and is loaded once it is back', async () => {
  vi.useFakeTimers();
  const health = vi.fn(async () => {
    throw new TypeError('away');
  });
  vi.stubGlobal('fetch', health);
  const load = vi.fn(async () => {
    if (!isBack) throw new TypeError('away');
    return 'part';
  });
  let isBack = false;
  const part = loadPart(load);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isReachable()).toBe(false);
  expect(load).toHaveBeenCalledTimes(1);
  isBack = true;
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await part).toBe('part');
  expect(isReachable()).toBe(true);
});

test('a part that is gone although the service answers is told: the page is of another version', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }));
  await expect(loadPart(() => Promise.reject(new TypeError('404')))).rejects.toThrow('404');
});
