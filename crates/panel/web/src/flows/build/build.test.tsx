import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { type Answers, emptyLists, LIVE, problem, serve, show } from '../../settings/testing';
import { useFlow, type Versioned } from '../api';
import type { FlowSearch } from '../search';
import BuildPart from './part';

vi.setConfig({ testTimeout: 30_000 });

const FLOW = 'flow_01h455vb4pex5vsknk084sn02q';
const DEFINITION = {
  start: 'greet',
  nodes: [
    { id: 'greet', type: 'send_message', message: { type: 'text', text: 'Hi' }, next: 'done' },
    { id: 'done', type: 'end' },
  ],
};
const flow = (version: number, definition: object = DEFINITION) =>
  Response.json(
    {
      id: FLOW,
      name: 'Welcome',
      status: 'draft',
      definition,
      version,
      version_published: null,
      has_unpublished_changes: true,
      stats: { active: 0, waiting: 0 },
    },
    { headers: { ETag: `"${version}-a"` } },
  );
const lists = emptyLists(
  'flows',
  'sequences',
  'tags',
  'custom-fields',
  'bot-fields',
  'channels',
  'event-types',
);
const validation: Answers = { 'POST /api/v1/flows/validate': () => ({ findings: [] }) };

function Part() {
  const { data } = useFlow(LIVE.id, FLOW);
  return data ? <Framed read={data} /> : null;
}

function Framed({ read }: { read: Versioned }) {
  const [typed, setTyped] = useState<{ text: string; base: Versioned }>();
  const [search, set] = useState<FlowSearch>({});
  const [showSearch] = useState(() => (next: FlowSearch) => set((it) => ({ ...it, ...next })));
  return <BuildPart read={read} search={search} show={showSearch} typed={typed} setTyped={setTyped} />;
}

/** Opens the page, in a window that is or is not wide enough for editing. */
function open(answers: Answers, { wide = true, role = 'owner' as 'owner' | 'viewer' } = {}) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        ...new EventTarget(),
        matches: wide,
        media: query,
        addEventListener() {},
        removeEventListener() {},
      }) as never,
  );
  serve({ ...lists, ...validation, ...answers });
  show(<Part />, { role });
}
const card = (name: RegExp) => screen.findByRole('button', { name, hidden: true }, { timeout: 10_000 });
const choose = async (name: RegExp) => fireEvent.keyDown(await card(name), { key: 'Enter' });

test('shows typed text on the canvas at once, and saves it on the version that was shown', async () => {
  const saved = vi.fn();
  open({
    [`GET /api/v1/flows/${FLOW}`]: () => flow(1),
    [`PATCH /api/v1/flows/${FLOW}`]: (body, request) => {
      saved(body, request.headers.get('If-Match'));
      return flow(2, (body as { definition: object }).definition);
    },
  });
  await choose(/^Send message/);
  fireEvent.change(await screen.findByRole('textbox', { name: 'Text' }, { timeout: 10_000 }), {
    target: { value: 'Hello' },
  });
  expect(await card(/^Send message Hello/)).toBeTruthy();
  expect(screen.getByText('Saving …')).toBeTruthy();
  await waitFor(() => expect(saved).toHaveBeenCalledTimes(1), { timeout: 10_000 });
  const [body, match] = saved.mock.calls[0] as [{ definition: typeof DEFINITION }, string];
  expect(match).toBe('"1-a"');
  expect(body.definition.nodes[0]).toMatchObject({ message: { text: 'Hello' }, next: 'done' });
  await screen.findByText('Draft saved', {}, { timeout: 10_000 });
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await card(/^Send message Hi/)).toBeTruthy();
});

test('Ctrl Z restores a node that was deleted by key or by button', async () => {
  open({
    [`GET /api/v1/flows/${FLOW}`]: () => flow(1),
    [`PATCH /api/v1/flows/${FLOW}`]: (body) => flow(2, (body as { definition: object }).definition),
  });
  const undo = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'z', ctrlKey: true });
  const greet = await card(/^Send message/);
  greet.focus();
  fireEvent.keyDown(greet, { key: 'Enter' });
  fireEvent.keyDown(greet, { key: 'Delete' });
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: /^Send message/, hidden: true })).toBeNull(),
  );
  expect((document.activeElement as HTMLElement).dataset.card).toBe('@start');
  undo();
  await choose(/^Send message/);
  const remove = screen.getByRole('button', { name: 'Delete' });
  remove.focus();
  fireEvent.click(remove);
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: /^Send message/, hidden: true })).toBeNull(),
  );
  expect(document.activeElement).toBe(document.body);
  undo();
  expect(await card(/^Send message/)).toBeTruthy();
});

test('a live flow on a sandbox channel warns above the canvas', async () => {
  const channel = { id: 'chan_1', name: 'Sandbox', kind: 'sandbox', is_default: true };
  open({
    [`GET /api/v1/flows/${FLOW}`]: () => flow(1),
    'GET /api/v1/channels': () => ({ data: [channel], next_cursor: null }),
  });
  expect(await screen.findByText(/^Messages on “Sandbox” reach no contact/)).toBeTruthy();
});

test('reports a conflict, and can save over the other version', async () => {
  const saved = vi.fn();
  const theirs = { ...DEFINITION, nodes: [DEFINITION.nodes[1]], start: 'done' };
  let refused = false;
  open({
    [`GET /api/v1/flows/${FLOW}`]: () => (refused ? flow(2, theirs) : flow(1)),
    [`PATCH /api/v1/flows/${FLOW}`]: (body, request) => {
      if (request.headers.get('If-Match') === '"1-a"') {
        refused = true;
        return problem(412, 'precondition_failed', 'Changed.');
      }
      saved(request.headers.get('If-Match'));
      return flow(3, (body as { definition: object }).definition);
    },
  });
  await choose(/^Send message/);
  fireEvent.change(await screen.findByRole('textbox', { name: 'Text' }, { timeout: 10_000 }), {
    target: { value: 'Mine' },
  });
  const mine = await screen.findByRole('button', { name: 'Save my changes' }, { timeout: 10_000 });
  expect(await card(/^Send message Mine/)).toBeTruthy();
  await waitFor(() => expect((mine as HTMLButtonElement).disabled).toBe(false), { timeout: 5000 });
  await userEvent.click(mine);
  await waitFor(() => expect(saved).toHaveBeenCalledWith('"2-a"'), { timeout: 10_000 });
});

test('shows a finding on its node, at its field and in the list, which links to it', async () => {
  open({
    [`GET /api/v1/flows/${FLOW}`]: () => flow(1),
    'POST /api/v1/flows/validate': () => ({
      findings: [
        {
          severity: 'error',
          code: 'unknown_name',
          pointer: '/nodes/0/message/text',
          message: 'The text looks up what does not exist.',
          hint: null,
          node_path: [],
          did_you_mean: [],
        },
      ],
    }),
  });
  expect(await card(/^Send message 1 Hi/)).toBeTruthy();
  const list = await screen.findByRole('region', { name: 'Findings' });
  await userEvent.click(within(list).getByRole('button', { name: /The text looks up/ }));
  const text = await screen.findByRole('textbox', { name: 'Text' }, { timeout: 10_000 });
  expect(text.getAttribute('aria-invalid')).toBe('true');
});

/** A finding of the analyser. */
const finding = (severity: string, pointer: string, message: string) => ({
  severity,
  code: 'x',
  pointer,
  message,
  hint: null,
  node_path: [],
  did_you_mean: [],
});
const addStep = async (group: string, name: string) => {
  fireEvent.click(await screen.findByRole('button', { name: group }, { timeout: 10_000 }));
  fireEvent.click(await screen.findByRole('menuitem', { name }));
};

test('a new node has the focus in its first field, and no error before it is changed or left', async () => {
  open({
    [`GET /api/v1/flows/${FLOW}`]: () => flow(1),
    [`PATCH /api/v1/flows/${FLOW}`]: (body) => flow(2, (body as { definition: object }).definition),
    'POST /api/v1/flows/validate': (body) => {
      const { nodes } = (body as { definition: { nodes: { id: string; text?: string }[] } }).definition;
      const at = nodes.findIndex((it) => it.id === 'note');
      return {
        findings:
          at < 0
            ? []
            : [
                finding('error', `/nodes/${at}/text`, `text is wrong: ${nodes[at]?.text}.`),
                finding('error', `/nodes/${at}/next`, 'next is missing.'),
              ],
      };
    },
  });
  await card(/^End the run/);
  await addStep('Message', 'Note');
  const text = await screen.findByRole('textbox', { name: 'Text' });
  await waitFor(() => expect(document.activeElement).toBe(text));
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(document.activeElement).toBe(text);
  fireEvent.change(text, { target: { value: 'x' } });
  expect(await screen.findAllByText('Text is wrong: x.')).toBeTruthy();
  expect(screen.queryByText(/Next is missing/i)).toBeNull();
  expect(await card(/^Note 1/)).toBeTruthy();
  fireEvent.keyDown(await card(/^End the run/), { key: 'Enter' });
  expect(await card(/^Note 2/)).toBeTruthy();
});

test('shows no findings of a new node that the user has not changed', async () => {
  const validated = vi.fn();
  open({
    [`GET /api/v1/flows/${FLOW}`]: () => flow(1),
    [`PATCH /api/v1/flows/${FLOW}`]: (body) => flow(2, (body as { definition: object }).definition),
    'POST /api/v1/flows/validate': (body) => {
      const { nodes } = (body as { definition: { nodes: { id: string }[] } }).definition;
      const at = nodes.findIndex((it) => it.id === 'note');
      if (at >= 0) validated();
      return { findings: at < 0 ? [] : [finding('error', `/nodes/${at}/text`, 'text is empty.')] };
    },
  });
  await card(/^End the run/);
  await addStep('Message', 'Note');
  await waitFor(() => expect(validated).toHaveBeenCalled(), { timeout: 10_000 });
  await screen.findByText('Draft saved', {}, { timeout: 10_000 });
  expect(screen.queryByText(/text is empty/i)).toBeNull();
  expect(screen.queryByText('Ready to publish')).toBeNull();
  expect(await card(/^Note no text yet/)).toBeTruthy();
});

test('shows a warning as a note at its field, which stays valid', async () => {
  open({
    [`GET /api/v1/flows/${FLOW}`]: () => flow(1),
    'POST /api/v1/flows/validate': () => ({
      findings: [finding('warning', '/nodes/0/message/text', 'nothing uses this.')],
    }),
  });
  await choose(/^Send message/);
  const text = await screen.findByRole('textbox', { name: 'Text' }, { timeout: 10_000 });
  expect((await screen.findByRole('note')).textContent).toBe('Nothing uses this.');
  expect(text.getAttribute('aria-invalid')).toBeNull();
});

test('shows a read-only flow in a narrow window', async () => {
  open({ [`GET /api/v1/flows/${FLOW}`]: () => flow(1) }, { wide: false });
  expect(await screen.findByText(/use a wider window/, {}, { timeout: 10_000 })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});
