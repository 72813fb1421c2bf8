import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { LIVE, serve, show } from '../settings/testing';
import { inBytes, partsOf, type Stored } from './bytes';
import { PlanAndStorage } from './page';

const STORED: Stored = {
  total: 2_000_000,
  by_kind: { contacts: 500_000, messages: 1_500_000, events: 0, deliveries: 0, flows: 0, idempotency: 0 },
  measured_at: LIVE.created_at,
  limit: 10_000_000,
  level: 'ok',
};
const PLATFORM = '/platform/workspaces/ws_live';
const served = {
  [`GET ${PLATFORM}/storage`]: () => STORED,
  'GET /api/v1/me': () => ({ requests_per_minute: 2_000 }),
};

test('lists the largest type first, and empty types without a share', () => {
  expect(partsOf(STORED).map((it) => [it.kind, it.share])).toEqual([
    ['messages', 0.75],
    ['contacts', 0.25],
    ['deliveries', 0],
    ['events', 0],
    ['flows', 0],
    ['idempotency', 0],
  ]);
  expect(partsOf({ ...STORED, total: 0 }).every((it) => it.share === 0)).toBe(true);
});

test('shortens sizes, and never shows a thousand of a unit', () => {
  expect([0, 999, 1_500, 99_940, 999_900, 23_000_000, 1_234_000_000, 5e15].map(inBytes)).toEqual([
    '0 B',
    '999 B',
    '1.5 kB',
    '99.9 kB',
    '1 MB',
    '23 MB',
    '1.2 GB',
    '5,000 TB',
  ]);
});

test('a viewer sees the plan and the storage, without a request for the log', async () => {
  const { asked } = serve(served);
  show(<PlanAndStorage />, { role: 'viewer' });
  expect((await screen.findByRole('row', { name: /^Messages/ })).textContent).toMatch(/75%1.5 MB$/);
  expect(await screen.findByText('2,000')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'pro' })).toBeTruthy();
  expect(asked.some((it) => it.includes('/usage'))).toBe(false);
});

test('shows the share of the limit, without a warning far below it', async () => {
  serve(served);
  show(<PlanAndStorage />, { role: 'viewer' });
  await screen.findByText(/You use 20% of the 10 MB/);
  expect(screen.queryByText('near the limit')).toBeNull();
});

test('warns a workspace near its limit', async () => {
  serve({
    ...served,
    [`GET ${PLATFORM}/storage`]: () => ({ ...STORED, limit: 2_100_000, level: 'near_limit' }),
  });
  show(<PlanAndStorage />, { role: 'viewer' });
  await screen.findByText('near the limit');
});

test('reports that the storage is not measured yet', async () => {
  serve({ ...served, [`GET ${PLATFORM}/storage`]: () => ({ ...STORED, measured_at: null }) });
  show(<PlanAndStorage />, { role: 'viewer' });
  await screen.findByText(/Before the first measurement/);
});
