import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { concernsOf, failingOf } from './concerns';

const live = { workspace: { live_workspace_id: null }, writes: true, uses: { broadcasts: [], flows: [] } };
const channel = (status: 'connected' | 'connecting' | 'disconnected') =>
  ({ id: `chan_${status}`, kind: 'http', name: 'Web', is_default: false, status }) as const;
const problems = [{ code: 'webhook_failing', message: 'Failing.', since: '2026-01-01T00:00:00.000Z' }];
const troubled = {
  ...channel('connected'),
  id: 'chan_troubled',
  health: { state: 'failing', webhook: { ok: false }, limits: {}, problems },
} as Parameters<typeof concernsOf>[0]['channels'][number];
const onTest = (name: string) =>
  `The broadcast “${name}” uses the sandbox channel “Test” and reaches no contact`;
const stats = (succeeded_24h: number, failed_24h: number) => ({ succeeded_24h, failed_24h, p95_ms: null });

test('each concern links to the list that shows it', () => {
  const found = concernsOf({
    webhooks: [
      { status: 'disabled', stats: stats(0, 9) },
      { status: 'active', stats: stats(0, 9) },
      { status: 'paused', stats: stats(0, 9) },
    ],
    ...live,
    channels: [channel('disconnected'), channel('connected'), channel('connecting'), troubled],
    dead: 50,
    moreDead: true,
    unanswered: { count: 3, more: false },
    uses: {
      broadcasts: ['Sale', 'News', 'Hours', 'Open day'].map((name) => ({
        id: `bc_${name}`,
        name,
        channel: 'Test',
      })),
      flows: [{ id: 'flow_3', name: 'Repairs', channel: 'Test' }],
    },
    flows: { worst: [{ id: 'flow_1', name: 'Welcome', failed: 2 }], more: 1 },
    misuses: { named: [{ id: 'flow_2', name: 'Orders' }], total: 3 },
    storage: 'near_limit',
  });
  expect(found.map((it) => [it.says, it.to, it.search])).toEqual([
    ['More than 80% of the storage of your plan is used', '/settings/storage', undefined],
    ['1 webhook is disabled', '/webhooks', { state: 'disabled' }],
    ['1 channel is disconnected', '/channels', { state: 'disconnected' }],
    ['1 connected channel has problems at its provider', '/channels', { state: 'connected' }],
    ['3 conversations have no reply', '/inbox', { view: 'waiting' }],
    [onTest('Sale'), '/broadcasts/bc_Sale', undefined],
    [onTest('News'), '/broadcasts/bc_News', undefined],
    [onTest('Hours'), '/broadcasts/bc_Hours', undefined],
    ['1 more broadcast uses a sandbox channel', '/broadcasts', undefined],
    [
      'A keyword starts the flow “Repairs” on the sandbox channel “Test”, but no contact writes there',
      '/flows/flow_3',
      undefined,
    ],
    ['The receiver of 1 webhook fails', '/webhooks', { state: 'active' }],
    ['50 or more dead letters', '/developers/jobs', undefined],
    [
      '“Orders” uses a secret in an expression, so its calls fail. Write {{ secrets.NAME }} alone and publish again.',
      '/flows/flow_2',
      undefined,
    ],
    ['2 more flows use secrets in expressions', '/flows', undefined],
    ['2 runs of “Welcome” failed in the last 24 hours', '/flows/flow_1', { tab: 'runs', status: 'failed' }],
    ['Runs of 1 more flow failed', '/analytics', { last: 'P1D' }],
  ]);
});

test('asks to connect a channel if the default channel is a sandbox', () => {
  const sandbox = { ...channel('connected'), kind: 'sandbox', name: 'Sandbox', is_default: true } as const;
  const quiet = {
    webhooks: [],
    dead: 0,
    moreDead: false,
    unanswered: { count: 0, more: false },
    flows: { worst: [], more: 0 },
    misuses: { named: [], total: 0 },
    storage: 'ok' as const,
  };
  const [only, ...others] = concernsOf({ ...live, ...quiet, channels: [sandbox] });
  expect(only).toMatchObject({ tone: 'wait', to: '/channels', search: { create: true } });
  expect(only?.says).toMatch(/^Connect a channel: the default channel “Sandbox”/);
  expect(others).toEqual([]);
  const inSandbox = { ...live, workspace: { live_workspace_id: 'ws_live' } };
  expect(concernsOf({ ...inSandbox, ...quiet, channels: [sandbox] })).toEqual([]);
});

test('reports no concerns if all objects work', () => {
  const well = {
    ...live,
    webhooks: [{ status: 'active' as const, stats: stats(9, 0) }],
    channels: [],
    dead: 0,
  };
  expect(
    concernsOf({
      ...well,
      moreDead: false,
      unanswered: { count: 0, more: false },
      flows: { worst: [], more: 0 },
      misuses: { named: [], total: 0 },
      storage: 'ok',
    }),
  ).toEqual([]);
});

test('lists the flows with the most failed runs, and counts the others', () => {
  const flows = [1, 0, 5, 3, 2].map((failed, at) => ({ flow_id: `flow_${at}`, runs: { failed } }));
  expect(failingOf(flows)).toEqual({
    worst: [
      { id: 'flow_2', failed: 5 },
      { id: 'flow_3', failed: 3 },
      { id: 'flow_4', failed: 2 },
    ],
    more: 1,
  });
});

test('shows concerns in German', async () => {
  const flows = { worst: [{ id: 'flow_1', name: 'Welcome', failed: 1200 }], more: 0 };
  const misuses = { named: [{ id: 'flow_2', name: 'Orders' }], total: 1 };
  const uses = {
    broadcasts: [{ id: 'bc_1', name: 'Sale', channel: 'Test' }],
    flows: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ id: name, name, channel: 'Test' })),
  };
  await inLanguage('de', () => {
    const found = concernsOf({
      ...live,
      uses,
      webhooks: [],
      channels: [],
      dead: 1,
      moreDead: false,
      unanswered: { count: 500, more: true },
      flows,
      misuses,
      storage: 'ok',
    });
    expect(found.map(({ word, says }) => [word, says])).toEqual([
      ['ohne Antwort', 'Mindestens 500 Unterhaltungen sind ohne Antwort'],
      ['Sandbox', 'Die Rundnachricht „Sale“ verwendet den Sandbox-Kanal „Test“ und erreicht keinen Kontakt'],
      ...['a', 'b', 'c'].map((name) => [
        'Sandbox',
        `Ein Stichwort startet den Ablauf „${name}“ auf dem Sandbox-Kanal „Test“, aber kein Kontakt schreibt dort`,
      ]),
      ['Sandbox', 'Stichwörter starten 2 weitere Abläufe auf Sandbox-Kanälen'],
      ['fehlgeschlagener Job', '1 fehlgeschlagener Job'],
      [
        'schlägt fehl',
        '„Orders“ verwendet ein Geheimnis in einem Ausdruck, daher schlagen seine Aufrufe fehl. Schreiben Sie {{ secrets.NAME }} allein, und veröffentlichen Sie erneut.',
      ],
      ['fehlgeschlagen', '1.200 Läufe von „Welcome“ sind in den letzten 24 Stunden fehlgeschlagen'],
    ]);
  });
});
