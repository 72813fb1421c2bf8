import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { LIVE, problem, serve, show } from '../settings/testing';
import { ClockBar } from './clock';
import { after, lead } from './clock-api';

const CLOCK = `/platform/workspaces/${LIVE.id}/sandbox/clock`;
const RESET = `POST /platform/workspaces/${LIVE.id}/sandbox/reset`;
const at = (now: string, ahead_seconds: number, arrived = true, steps = 0) => ({
  now,
  ahead_seconds,
  arrived,
  steps,
});

test('shows the lead of the clock in its two largest units', () => {
  expect([0, 29, 60, 3_600, 90_061, 604_799].map(lead)).toEqual([
    '',
    '',
    '1 minute',
    '1 hour',
    '1 day, 1 hour',
    '7 days',
  ]);
  expect(after('2026-01-01T00:00:00.000Z', 'P7D')).toBe('2026-01-08T00:00:00.000Z');
});

test('advances the clock by a day, with as many requests as needed', async () => {
  const answers = [
    at('2026-01-01T09:00:00.000Z', 32_400, false, 1),
    at('2026-01-02T00:00:00.000Z', 86_400, true, 3),
  ];
  const move = vi.fn(() => answers.shift());
  serve({ [`GET ${CLOCK}`]: () => at('2026-01-01T00:00:00.000Z', 0), [`POST ${CLOCK}`]: move });
  show(<ClockBar />);
  await userEvent.click(await screen.findByRole('button', { name: 'Advance by 1 day' }));
  await waitFor(() => expect(move).toHaveBeenCalledTimes(2));
  expect(move).toHaveBeenLastCalledWith({ until: '2026-01-02T00:00:00.000Z' }, expect.anything());
  expect(await screen.findByText('Done. Work was due 3 times.')).toBeTruthy();
});

test('reports that another request moves the clock', async () => {
  serve({
    [`GET ${CLOCK}`]: () => at('2026-01-01T00:00:00.000Z', 0),
    [`POST ${CLOCK}`]: () => problem(409, 'clock_in_use', 'Another request moves the clock.'),
  });
  show(<ClockBar />);
  await userEvent.click(await screen.findByRole('button', { name: 'Advance by 1 hour' }));
  expect(await screen.findByText('Another request moves the clock.')).toBeTruthy();
});

test('asks once before the sandbox is reset', async () => {
  const empty = vi.fn(() => at('2026-01-01T00:00:00.000Z', 0));
  serve({ [`GET ${CLOCK}`]: () => at('2026-01-08T00:00:00.000Z', 604_800), [RESET]: empty });
  show(<ClockBar />);
  expect(await screen.findByText('7 days ahead')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  expect(empty).not.toHaveBeenCalled();
  await userEvent.click(await screen.findByRole('button', { name: 'Reset the sandbox' }));
  await waitFor(() => expect(empty).toHaveBeenCalledTimes(1));
});

test('shows the clock in German', () =>
  inLanguage('de', async () => {
    serve({ [`GET ${CLOCK}`]: () => at('2026-01-08T00:00:00.000Z', 90_000) });
    show(<ClockBar />);
    expect(await screen.findByText('geht 1 Tag, 1 Stunde vor')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Um 1 Woche vorstellen' })).toBeTruthy();
  }));
