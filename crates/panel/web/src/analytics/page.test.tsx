import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ClockLead } from '../components/clock';
import { seeAll } from '../inbox/files/testing';
import { serve, show } from '../settings/testing';
import { ChartCard } from './card';
import { Analytics } from './page';
import { LINES, type Overview } from './series';

const { drawn } = vi.hoisted(() => ({ drawn: [] as object[] }));
vi.mock('./chart', () => ({
  default: (values: object) => {
    drawn.push(values);
    return null;
  },
}));

const AT = '2026-03-01T00:00:00.000Z';
const counts = (of: number) =>
  Object.fromEntries(
    Object.entries(LINES).map(([subject, lines]) => [
      subject,
      Object.fromEntries(lines.map((line) => [line, of])),
    ]),
  );
const overview = {
  as_of: AT,
  from: AT,
  to: '2026-03-02T00:00:00.000Z',
  interval: 'day',
  time_zone: 'UTC',
  contacts: { total: 1_234 },
  conversations: { open: 10_000, pending: 0, snoozed: 0 },
  totals: counts(0),
  series: [{ at: AT, ...counts(0) }],
  by_channel: [],
  by_flow: [],
  by_sequence: [],
  by_broadcast: [],
  suppressed: [],
};
const served = { 'GET /api/v1/analytics/overview': () => overview };

test('shows a table with the counts of a chart', async () => {
  serve(served);
  show(<Analytics />);
  await userEvent.click(await screen.findByRole('button', { name: 'Show as a table: Contacts' }));
  expect(screen.getByRole('region', { name: 'Contacts: table' })).toBeTruthy();
  expect(screen.getByText('10,000+')).toBeTruthy();
  expect(screen.getAllByText('No data in this range.')).toHaveLength(7);
});

test('a range ends at the current time of the workspace', async () => {
  const DAY = 86_400_000;
  const asked: string[] = [];
  serve({
    'GET /api/v1/analytics/overview': (_: unknown, request: Request) => {
      asked.push(new URL(request.url).searchParams.get('from') ?? '');
      return overview;
    },
  });
  show(
    <ClockLead value={40 * DAY}>
      <Analytics />
    </ClockLead>,
  );
  await screen.findByText('1,234');
  const days = (Date.parse(asked[0] ?? '') - Date.now()) / DAY;
  expect(days).toBeCloseTo(10, 1);
});

test('keeps the values of a chart if a refresh changes no counts', async () => {
  seeAll();
  const counted = { ...overview, totals: counts(2), series: [{ at: AT, ...counts(2) }] };
  const card = (as_of: string) => (
    <MantineProvider env="test">
      <ChartCard overview={{ ...counted, as_of } as unknown as Overview} subject="messages" />
    </MantineProvider>
  );
  const { rerender } = render(card(AT));
  await waitFor(() => expect(drawn).not.toEqual([]));
  const before = drawn.length;
  rerender(card('2026-03-01T00:01:00.000Z'));
  expect(drawn.length).toBeGreaterThan(before);
  const [first, last] = [drawn[0], drawn.at(-1)].map((it) => Object.values(it ?? {}));
  expect(last?.length).toBe(3);
  expect(last?.every((it, at) => it === first?.[at])).toBe(true);
});
