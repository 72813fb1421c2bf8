import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { refreshSoon } from './refresh';

beforeEach(() => void vi.useFakeTimers());

test('reads simultaneous changes once, and later ones after a pause', () => {
  const client = new QueryClient();
  const read = vi.spyOn(client, 'invalidateQueries');
  for (let change = 0; change < 5; change += 1) refreshSoon(client, ['list'], { apart: 1_000 });
  refreshSoon(client, ['count']);
  expect(read).not.toHaveBeenCalled();
  vi.advanceTimersByTime(250);
  expect(read.mock.calls).toEqual([[{ queryKey: ['list'] }], [{ queryKey: ['count'] }]]);
  refreshSoon(client, ['list'], { apart: 1_000 });
  vi.advanceTimersByTime(999);
  expect(read).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1);
  expect(read).toHaveBeenCalledTimes(3);
});
