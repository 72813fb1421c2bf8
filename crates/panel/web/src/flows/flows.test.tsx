import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { problem, serve, show } from '../settings/testing';
import type { Versioned } from './api';
import { DeleteFlow } from './delete';
import { JsonPart } from './json';
import { Flows } from './list';
import { copyOf, FlowMenu } from './menu';
import { Publish } from './publish';
import { flow, page, tagged } from './testing';
import type { Typed } from './written';

const READ = { flow: flow(), etag: '"1-a"' };
const FLOW = '/api/v1/flows/flow_1';

test('lists flows with their status, and filters them by words', async () => {
  const all = [flow(), flow({ id: 'flow_2', name: 'Support', status: 'active', version_published: 3 })];
  serve({
    'GET /api/v1/flows': (_, request) => {
      const { q = '', status } = Object.fromEntries(new URL(request.url).searchParams);
      const has = (it: { name: string }) => it.name.toLowerCase().includes(q);
      return page(...all.filter((it) => has(it) && (!status || it.status === status)));
    },
  });
  const { router } = show(<Flows />);
  const rows = await screen.findAllByRole('row');
  expect(rows).toHaveLength(3);
  expect(rows[2]?.textContent).toMatch(/^Supportactive3/);
  await userEvent.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'wel');
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
  expect(router.state.location.search).toMatchObject({ q: 'wel' });
  await userEvent.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'x');
  await userEvent.click(await screen.findByRole('button', { name: 'Clear the filters' }));
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3));
  expect(screen.getByRole('textbox', { name: 'Filter by name' })).toHaveProperty('value', '');
});

test('a viewer cannot create a flow', async () => {
  serve({ 'GET /api/v1/flows': () => page() });
  show(<Flows />, { role: 'viewer' });
  await screen.findByText('No flows yet');
  expect(screen.queryByRole('button', { name: 'Create flow' })).toBeNull();
});

test('creates a flow from a template', async () => {
  const made = vi.fn();
  serve({
    'GET /api/v1/flows': () => page(),
    'POST /api/v1/flows': (body) => {
      made(body);
      return problem(422, 'validation_failed', 'No.', [
        { pointer: '/name', code: 'blank', message: 'must not be blank' },
      ]);
    },
  });
  show(<Flows />, { path: '/?create=true' });
  await userEvent.click(await screen.findByRole('radio', { name: /^Welcome/ }));
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Create flow' }));
  await screen.findByText('Must not be blank.');
  expect(made.mock.calls[0]?.[0]).toMatchObject({ name: 'Welcome', definition: { start: 'greet' } });
});

test('shows the dependents of a flow before it is deleted', async () => {
  const gone = vi.fn();
  const asked: (string | null)[] = [];
  serve({
    [`DELETE ${FLOW}`]: (_, request) => {
      const force = new URL(request.url).searchParams.get('force');
      asked.push(force);
      if (force === 'true') return new Response(null, { status: 204 });
      const dependents = [{ type: 'sequence', id: 'seq_1', name: 'First week' }];
      return Response.json({ status: 409, code: 'in_use', detail: 'In use.', dependents }, { status: 409 });
    },
  });
  show(<DeleteFlow flow={flow()} opened onClose={() => undefined} onGone={gone} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete flow' }));
  await screen.findByText('First week');
  await userEvent.click(screen.getByRole('button', { name: 'Delete anyway' }));
  await waitFor(() => expect(gone).toHaveBeenCalledOnce());
  expect(asked).toEqual(['false', 'true']);
});

test('duplicates a flow with its draft, and opens the copy', async () => {
  const made = vi.fn();
  serve({
    'POST /api/v1/flows': (body) => {
      made(body);
      return flow({ id: 'flow_2', name: 'Welcome (copy)' });
    },
  });
  const { router } = show(<FlowMenu flow={flow()} />, { role: 'member' });
  await userEvent.click(await screen.findByRole('button', { name: 'More' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/flows/flow_2'));
  expect(made).toHaveBeenCalledExactlyOnceWith({ name: 'Welcome (copy)', definition: flow().definition });
  expect(copyOf('x'.repeat(100))).toHaveLength(100);
});

test('publishing asks what to do with current runs', async () => {
  const met = flow({ version_published: 1, stats: { ...flow().stats, waiting: 2 } });
  const published = vi.fn();
  serve({
    [`GET ${FLOW}`]: () => tagged(met, '"1-a"'),
    [`POST ${FLOW}/publish`]: (body, request) => {
      published(body, request.headers.get('If-Match'));
      return tagged({ ...met, version_published: 2, findings: [] }, '"2-b"');
    },
  });
  show(<Publish read={{ flow: met, etag: '"1-a"' }} unsaved={false} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Publish version 2' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('radio', { name: /Continue on the new version/ }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Publish version 2' }));
  await waitFor(() => expect(published).toHaveBeenCalledExactlyOnceWith({ running: 'migrate' }, '"1-a"'));
});

test('a refused publication names the node and the attribute as the editor does', async () => {
  serve({
    [`GET ${FLOW}`]: () => tagged(flow(), '"1-a"'),
    [`POST ${FLOW}/publish`]: () =>
      problem(422, 'validation_failed', 'No.', [
        { pointer: '/definition/nodes/0/message/text', code: 'required', message: 'is required' },
        { pointer: '/definition/settings/reentry', code: 'invalid_value', message: 'is not a value' },
      ]),
  });
  show(<Publish read={READ} unsaved={false} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Publish version 1' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Publish version 1' }));
  const [first, second] = await within(dialog).findAllByRole('listitem');
  expect(first?.textContent?.replace(/\s+/g, ' ')).toContain('Send message Hello › Message › Text');
  expect(first?.textContent).not.toMatch(/greet|\/nodes/);
  expect(second?.textContent).toContain('Flow settings › If the contact is already in this flow');
});

test('publishing a live flow on a sandbox channel warns', async () => {
  serve({
    [`GET ${FLOW}`]: () => tagged(flow(), '"1-a"'),
    'GET /api/v1/channels': () => page({ id: 'chan_1', name: 'Sandbox', kind: 'sandbox', is_default: true }),
  });
  show(<Publish read={READ} unsaved={false} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Publish version 1' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText(/^Messages on “Sandbox” reach no contact/)).toBeTruthy();
});

function Json() {
  const [typed, setTyped] = useState<Typed<Versioned>>();
  const [read, setRead] = useState<Versioned>(READ);
  return (
    <>
      <button type="button" onClick={() => setRead({ flow: flow({ version: 2 }), etag: '"2-b"' })}>
        theirs
      </button>
      <JsonPart read={read} typed={typed} setTyped={setTyped} />
    </>
  );
}

test('saves the draft on the version that was shown, and can save over a conflict', async () => {
  const saved = vi.fn();
  serve({
    [`GET ${FLOW}`]: () => tagged(flow({ version: 2 }), '"2-b"'),
    'POST /api/v1/flows/validate': () => ({
      valid: false,
      findings: [
        {
          severity: 'error',
          code: 'dead_end',
          pointer: '/nodes/0',
          message: 'the node leads nowhere',
          hint: null,
          node_path: [],
          did_you_mean: [],
        },
      ],
    }),
    [`PATCH ${FLOW}`]: (body, request) => {
      const etag = request.headers.get('If-Match');
      saved(body, etag);
      return etag === '"1-a"'
        ? problem(412, 'precondition_failed', 'Changed.')
        : tagged(flow({ version: 3 }), '"3-c"');
    },
  });
  show(<Json />);
  await screen.findByText('The node leads nowhere.');
  const text = screen.getByRole('textbox', { name: 'the definition' });
  fireEvent.change(text, { target: { value: '{"nodes": [' } });
  expect(screen.getByText(/not valid JSON/)).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Save draft' }) as HTMLButtonElement).disabled).toBe(true);
  fireEvent.change(text, { target: { value: '{"nodes": []}' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }));
  await screen.findByText('Another user saved this draft.');
  await userEvent.click(screen.getByRole('button', { name: 'theirs' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save my changes' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save my changes' })).toBeNull());
  expect(saved.mock.calls).toEqual([
    [{ definition: { nodes: [] } }, '"1-a"'],
    [{ definition: { nodes: [] } }, '"2-b"'],
  ]);
});
