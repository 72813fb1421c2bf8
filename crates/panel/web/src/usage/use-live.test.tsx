import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Told } from '../live/blocks';
import { getRows } from './api';
import { aRow } from './testing';
import { useLive } from './use-live';
import { type LogPages, rowsKey, rowsOf } from './use-log';

const stream = vi.hoisted(() => ({
  isLive: true,
  tell: (_: Told): void => undefined,
  listen(listener: (told: Told) => void) {
    this.tell = listener;
    return () => undefined;
  },
  watch: () => () => undefined,
}));
vi.mock('../live/use-stream', () => ({ streamOf: () => stream }));
vi.mock('./api', () => ({ getRows: vi.fn() }));

const hint = (type: string): Told => ({
  event: 'changed',
  data: { changed: { type, id: null, version: null } },
});
const answers = vi.mocked(getRows);
const answer = (...rows: ReturnType<typeof aRow>[]) =>
  answers.mockResolvedValue({ data: rows, next_cursor: null });

beforeEach(() => answers.mockReset());
/** A list with one request, and its live tail. */
function shown(isReading: () => boolean) {
  const client = new QueryClient();
  const key = rowsKey('ws_1', {});
  client.setQueryData<LogPages>(key, {
    pages: [{ data: [aRow('first', 1)], next_cursor: null }],
    pageParams: [undefined],
  });
  const { result } = renderHook(() => useLive('ws_1', {}, { on: true, isReading }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  return { tail: result, rows: () => rowsOf(client.getQueryData<LogPages>(key)).map((it) => it.request_id) };
}

test('a hint shows new requests at the top, and other hints request nothing', async () => {
  answer(aRow('first', 1));
  const { rows } = shown(() => false);
  await waitFor(() => expect(answers).toHaveBeenCalledTimes(1));
  answer(aRow('second', 2), aRow('first', 1));
  await act(async () => stream.tell(hint('contact')));
  expect(answers).toHaveBeenCalledTimes(1);
  await act(async () => stream.tell(hint('request')));
  await waitFor(() => expect(rows()).toEqual(['second', 'first']));
  expect(answers).toHaveBeenCalledTimes(2);
});

test('keeps new rows back while the user reads, until they are requested', async () => {
  answer(aRow('second', 2), aRow('first', 1));
  const { tail, rows } = shown(() => true);
  await waitFor(() => expect(tail.current.waiting).toBe(1));
  expect(rows()).toEqual(['first']);
  act(() => tail.current.show());
  expect(rows()).toEqual(['second', 'first']);
  expect(tail.current.waiting).toBe(0);
});
