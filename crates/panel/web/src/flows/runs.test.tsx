import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { emptyLists, serve, show } from '../settings/testing';
import RunsPart from './runs';
import type { FlowRun } from './runs-api';
import { flow, page } from './testing';

const AT = '2026-01-01T09:00:00.000Z';
const FLOW = flow({ version_published: 2, status: 'active' });

const say = (id: string, text: string) => ({ id, type: 'send_message', message: { type: 'text', text } });
const version = (number: number, ...nodes: object[]) => ({
  number,
  definition: { start: 'greet', nodes },
  created_at: AT,
  is_current: false,
});

function run(id: string, flow_version: number, node_id: string): FlowRun {
  const visit = { at: AT, exit: null, message_id: null, outcome: 'queued', outcome_parts: [], run_id: null };
  return {
    id,
    flow_id: FLOW.id,
    flow_version,
    node_id,
    status: 'completed',
    contact_id: 'contact_1',
    called_by: null,
    wait: null,
    error: null,
    vars: {},
    trace: [{ ...visit, node_id, type: 'send_message' }],
    started_by: { type: 'contact', id: 'contact_1' },
    started_at: AT,
    ended_at: AT,
    created_at: AT,
    updated_at: AT,
    version: 1,
  } as FlowRun;
}

const lastVersions = () =>
  page(
    version(2, say('greet', 'Hello'), say('again', 'Hello')),
    version(1, say('greet', 'Good morning'), say('again', 'Hello')),
  );

/** Shows runs of a flow, with two published versions unless others are given. */
function showRuns(runs: FlowRun[], search = {}, versions: (request: Request) => unknown = lastVersions) {
  serve({
    ...emptyLists('flows', 'sequences', 'tags', 'channels'),
    'GET /api/v1/contacts/contact_1': () => ({ id: 'contact_1', name: 'Grace' }),
    'GET /api/v1/flow-runs': () => page(...runs),
    ...Object.fromEntries(runs.map((it) => [`GET /api/v1/flow-runs/${it.id}`, () => it])),
    'GET /api/v1/flows/flow_1/versions': (_, request) => versions(request),
  });
  show(
    <RunsPart
      read={{ flow: FLOW, etag: '"1"' }}
      search={search}
      show={() => undefined}
      typed={undefined}
      setTyped={() => undefined}
    />,
  );
}

test('runs show their node as it is in their version', async () => {
  showRuns([run('run_1', 1, 'greet'), run('run_2', 2, 'greet'), run('run_3', 7, 'greet')]);
  expect(await screen.findByText('Good morning')).toBeTruthy();
  const rows = screen.getAllByRole('row').map((it) => it.textContent?.replace(/\s+/g, ' '));
  expect(rows[1]).toContain('Send message Good morning');
  expect(rows[1]).not.toContain('greet');
  // Two nodes of version 2 have the same texts.
  expect(rows[2]).toContain('Send message Hello greet');
  // Version 7 is not known.
  expect(rows[3]).toContain('Send message greet');
});

test('runs of an old version show the nodes of that version', async () => {
  const asked: (string | null)[] = [];
  showRuns([run('run_1', 1, 'greet')], {}, (request) => {
    const cursor = new URL(request.url).searchParams.get('cursor');
    asked.push(cursor);
    if (cursor === null) return { ...page(version(30, say('greet', 'Hello'))), next_cursor: 'older' };
    return cursor === 'older'
      ? { ...page(version(2, say('greet', 'Welcome'))), next_cursor: 'oldest' }
      : page(version(1, say('greet', 'Good morning')));
  });
  expect(await screen.findByText('Good morning')).toBeTruthy();
  expect(asked).toEqual([null, 'older', 'oldest']);
});

test('runs of a new version load no old versions', async () => {
  const asked: (string | null)[] = [];
  showRuns([run('run_1', 30, 'greet')], {}, (request) => {
    asked.push(new URL(request.url).searchParams.get('cursor'));
    return { ...page(version(30, say('greet', 'Hello'))), next_cursor: 'older' };
  });
  expect(await screen.findByText('Hello')).toBeTruthy();
  expect(asked).toEqual([null]);
});

test('the trace of a run shows nodes as on the canvas, in German', () =>
  inLanguage('de', async () => {
    showRuns([run('run_1', 1, 'greet')], { run: 'run_1' });
    const trace = await screen.findByRole('region', { name: 'Schritt für Schritt' });
    expect(await within(trace).findByText('Good morning')).toBeTruthy();
    expect(trace.textContent).toContain('Nachricht senden');
    expect(trace.textContent).not.toContain('greet');
  }));

test('the filter lists nodes as on the canvas', async () => {
  showRuns([]);
  await userEvent.click(await screen.findByRole('combobox', { name: 'At node' }));
  const options = await screen.findAllByRole('option');
  expect(options.map((it) => it.textContent)).toEqual(
    expect.arrayContaining(['Send message: Hello', 'End: the run is completed']),
  );
});
