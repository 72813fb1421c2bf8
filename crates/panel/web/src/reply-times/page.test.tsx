import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { problem, serve, show } from '../settings/testing';
import { ReplyTimes } from './page';

const none = { count: 0, median_seconds: null, p90_seconds: null };
const first_reply = { count: 12, median_seconds: 310.5, p90_seconds: 2766.9 };
const span = {
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-03-31T00:00:00.000Z',
  as_of: '2026-03-30T09:00:00.000Z',
};
const times = { first_reply, resolution: none };
const replies = {
  ...span,
  totals: times,
  by_agent: [
    { user_id: 'user_1', name: 'Grace', ...times },
    { user_id: 'user_2', name: null, ...times },
  ],
  by_channel: [{ channel_id: 'chan_1', ...times }],
};
const channels = { data: [{ id: 'chan_1', name: 'Support' }], next_cursor: null };

/** Serves reply times, and returns the requested ranges. */
function served(answer: unknown = replies): string[] {
  const ranges: string[] = [];
  serve({
    'GET /api/v1/channels': () => channels,
    'GET /api/v1/analytics/replies': (_, { url }) => {
      ranges.push(new URL(url).search);
      return answer;
    },
  });
  return ranges;
}

test('shows both durations by member and by channel', async () => {
  served();
  show(<ReplyTimes />);
  expect(await screen.findByRole('region', { name: 'By member' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: 'Grace' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: /^former member/ })).toBeTruthy();
  expect(await screen.findByRole('link', { name: 'Support' })).toBeTruthy();
  expect(screen.getAllByText('5 min 10 s').length).toBe(4);
});

test('requests custom days in the time zone of the workspace', async () => {
  const ranges = served();
  show(<ReplyTimes />, { path: '/?from=2026-03-01&to=2026-03-30' });
  await screen.findByRole('region', { name: 'By member' });
  expect(ranges[0]).toBe('?from=2026-03-01T00%3A00%3A00.000Z&to=2026-03-31T00%3A00%3A00.000Z');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-10' } });
  await waitFor(() => expect(ranges.at(-1)).toContain('from=2026-03-10'));
});

test('does not request days in the wrong order', async () => {
  const ranges = served();
  show(<ReplyTimes />, { path: '/?from=2026-03-02&to=2026-03-01' });
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The first date must not be after the last date.',
  );
  expect(screen.getByLabelText('From').getAttribute('aria-invalid')).toBe('true');
  expect(ranges).toEqual([]);
});

test('explains a range without replies, and links to the inbox', async () => {
  served({ ...span, totals: { first_reply: none, resolution: none }, by_agent: [], by_channel: [] });
  show(<ReplyTimes />);
  expect(await screen.findByText('No reply times in this range')).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Open the inbox' });
  expect(link.getAttribute('href')).toBe('/inbox');
});

test('a failed request can be repeated', async () => {
  served(problem(503, 'unavailable', 'The database does not answer.'));
  show(<ReplyTimes />);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});
