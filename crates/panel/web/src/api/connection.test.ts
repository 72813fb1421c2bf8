import { render } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { isReachable, loadPart, noteReachable } from './connection';

afterEach(() => {
  noteReachable(true);
});

test('loads a part again when the server is reachable', async () => {
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

test('reports a part that a reachable server does not have', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }));
  await expect(loadPart(() => Promise.reject(new TypeError('404')))).rejects.toThrow('404');
});

test('reloads the page if the browser does not fetch a part again after an outage', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('away')));
  const part = loadPart<{ Page: () => null }>(() => Promise.reject(new TypeError('away')));
  await vi.advanceTimersByTimeAsync(10_000);
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }));
  await vi.advanceTimersByTimeAsync(2_000);
  const { Page } = await part;
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  expect(reload).not.toHaveBeenCalled();
  render(createElement(Page));
  expect(reload).toHaveBeenCalledTimes(1);
});
