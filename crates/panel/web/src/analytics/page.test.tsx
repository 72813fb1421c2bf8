import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { serve, show } from '../settings/testing';
import { Analytics } from './page';
import { LINES } from './series';

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

test('a chart has a table with the same counts', async () => {
  serve(served);
  show(<Analytics />);
  await userEvent.click(await screen.findByRole('button', { name: 'Show as a table: Contacts' }));
  expect(screen.getByRole('region', { name: 'Contacts: table' })).toBeTruthy();
  expect(screen.getByText('10,000+')).toBeTruthy();
  expect(screen.getAllByText('No data in this range.')).toHaveLength(7);
});
