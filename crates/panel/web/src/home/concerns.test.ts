import { expect, test } from 'vitest';
import { concernsOf } from './concerns';

const stats = (succeeded_24h: number, failed_24h: number) => ({ succeeded_24h, failed_24h, p95_ms: null });

test('each concern leads to the list that shows it', () => {
  const found = concernsOf({
    webhooks: [
      { status: 'disabled', stats: stats(0, 9) },
      { status: 'active', stats: stats(0, 9) },
      { status: 'paused', stats: stats(0, 9) },
    ],
    channels: [{ status: 'disconnected' }, { status: 'connected' }, { status: 'connecting' }],
    dead: 50,
    moreDead: true,
  });
  expect(found.map((it) => [it.says, it.to, it.search])).toEqual([
    ['1 webhook is disabled', '/webhooks', { state: 'disabled' }],
    ['1 channel is disconnected', '/channels', { state: 'disconnected' }],
    ['The receiver of 1 webhook fails', '/webhooks', { state: 'active' }],
    ['50 or more dead letters', '/developers/jobs', undefined],
  ]);
});

test('where all is well there is nothing to look at', () => {
  const well = { webhooks: [{ status: 'active' as const, stats: stats(9, 0) }], channels: [], dead: 0 };
  expect(concernsOf({ ...well, moreDead: false })).toEqual([]);
});
