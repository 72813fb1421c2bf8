import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { type Answers, emptyLists, LIVE, problem, serve, show } from '../../settings/testing';
import type { FlowNode } from '../definition';
import { Surroundings } from './context';
import { NodeForm } from './node-form';

vi.setConfig({ testTimeout: 30_000 });
const stamps = { created_at: LIVE.created_at, updated_at: LIVE.updated_at, version: 1 };
const list = (...data: unknown[]) => ({ data, next_cursor: null });

type Latest = { node: FlowNode };

function Form({ latest }: { latest: Latest }) {
  const [node, setNode] = useState(latest.node);
  latest.node = node;
  return (
    <Surroundings value={{ definition: { nodes: [node] }, fault: () => undefined }}>
      <NodeForm node={node} onChange={setNode} />
    </Surroundings>
  );
}

/** Renders the form of a node and returns the node as it is edited. */
function open(node: FlowNode, answers: Answers, role: 'owner' | 'viewer' = 'owner'): Latest {
  const latest = { node };
  serve({
    ...emptyLists('tags', 'custom-fields', 'bot-fields'),
    'GET /api/v1/secrets': () => list({ name: 'CRM_TOKEN', hosts: ['crm.example'], ...stamps }),
    ...answers,
  });
  show(<Form latest={latest} />, { role });
  return latest;
}

test('creates a missing tag next to its name', async () => {
  const tags: unknown[] = [{ id: 'tag_1', name: 'VIP', ...stamps }];
  const latest = open(
    { id: 'a', type: 'add_tag', tag: '' },
    {
      'GET /api/v1/tags': () => list(...tags),
      'POST /api/v1/tags': (body) => {
        tags.push({ id: 'tag_2', ...(body as object), ...stamps });
        return tags.at(-1);
      },
    },
  );
  const field = await screen.findByRole('combobox', { name: 'Tag' });
  await userEvent.type(field, 'vip');
  expect(screen.queryByRole('button', { name: /Create tag/ })).toBeNull();
  await userEvent.type(field, '2');
  await userEvent.click(await screen.findByRole('button', { name: 'Create tag “vip2”' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /Create tag/ })).toBeNull());
  expect(tags).toHaveLength(2);
  expect(latest.node).toMatchObject({ tag: 'vip2' });
});

test('a condition creates a missing tag, and selects it', async () => {
  const tags: unknown[] = [];
  const latest = open(
    { id: 'a', type: 'branch', branches: [{ when: { field: 'tags', op: 'has', value: '' } }] },
    {
      'GET /api/v1/channels': () => list(),
      'GET /api/v1/tags': () => list(...tags),
      'POST /api/v1/tags': (body) => {
        const { name } = body as { name: string };
        if (name === 'bad') return problem(422, 'validation_failed', 'The name is reserved.');
        tags.push({ id: 'tag_1', name, ...stamps });
        return tags.at(-1);
      },
    },
  );
  const field = await screen.findByRole('combobox', { name: 'Value' });
  await userEvent.type(field, 'bad');
  await userEvent.click(await screen.findByRole('option', { name: 'Create tag “bad”' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, 'vip');
  await userEvent.click(await screen.findByRole('option', { name: 'Create tag “vip”' }));
  const branches = [{ when: { field: 'tags', op: 'has', value: 'tag_1' } }];
  await waitFor(() => expect(latest.node).toMatchObject({ branches }));
  expect(tags).toHaveLength(1);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a condition compares a custom field that was created in the form', async () => {
  const fields: unknown[] = [];
  const latest = open(
    { id: 'a', type: 'branch', branches: [{ when: { field: 'tags', op: 'has', value: '' } }] },
    {
      'GET /api/v1/channels': () => list(),
      'GET /api/v1/custom-fields': () => list(...fields),
      'POST /api/v1/custom-fields': (body) => {
        const rest = { key: 'size', options: [], validation: {} };
        fields.push({ id: 'field_1', ...rest, ...(body as object), ...stamps });
        return fields.at(-1);
      },
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Create custom field' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Size');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create custom field' }));
  const branches = [{ when: { field: 'custom_fields.size', op: 'eq' } }];
  await waitFor(() => expect(latest.node).toMatchObject({ branches }));
});

test('creates a missing custom field with the typed key', async () => {
  const made = vi.fn();
  const latest = open(
    { id: 'a', type: 'set_field', field: 'custom_fields.shoe_size', value: '' },
    {
      'POST /api/v1/custom-fields': (body) => {
        made(body);
        return { id: 'field_1', options: [], validation: {}, ...(body as object), ...stamps };
      },
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Create custom field “shoe_size”' }));
  const dialog = await screen.findByRole('dialog');
  expect((within(dialog).getByRole('textbox', { name: 'Name' }) as HTMLInputElement).value).toBe('Shoe size');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create custom field' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(made).toHaveBeenCalledWith(expect.objectContaining({ key: 'shoe_size', name: 'Shoe size' }));
  expect(latest.node).toMatchObject({ field: 'custom_fields.shoe_size' });
});

test('selects a bot field after it is created', async () => {
  const latest = open(
    { id: 'a', type: 'set_bot_field', field: '', value: '' },
    {
      'POST /api/v1/bot-fields': (body) => ({ id: 'bot_1', key: 'season', ...(body as object), ...stamps }),
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Create bot field' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Season');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create bot field' }));
  await waitFor(() => expect(latest.node).toMatchObject({ field: 'season' }));
});

test('a request offers secrets, and inserts a new one', async () => {
  const latest = open(
    { id: 'a', type: 'http_request', method: 'GET', url: 'https://crm.example/' },
    { 'PUT /api/v1/secrets/NEW_KEY': () => ({ name: 'NEW_KEY', hosts: ['crm.example'], ...stamps }) },
  );
  const insert = await screen.findByRole('button', { name: 'Insert a value' });
  await userEvent.click(insert);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'secrets.CRM_TOKEN' }));
  expect(latest.node).toMatchObject({ url: 'https://crm.example/{{ secrets.CRM_TOKEN }}' });
  await userEvent.click(insert);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Add a secret' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'NEW_KEY');
  await userEvent.type(within(dialog).getByLabelText('Value'), 'geheim');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Hosts' }), 'crm.example');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add a secret' }));
  await waitFor(() => expect(JSON.stringify(latest.node)).toContain('{{ secrets.NEW_KEY }}'));
});

test('offers a viewer no way to create objects', async () => {
  open({ id: 'a', type: 'set_field', field: 'custom_fields.x', value: '' }, {}, 'viewer');
  await screen.findByRole('combobox', { name: 'Target' });
  expect(screen.queryByRole('button', { name: /Create/ })).toBeNull();
});

test('the example of a secret has its braces', async () => {
  open({ id: 'a', type: 'http_request', method: 'GET', url: '' }, {});
  expect(await screen.findByText(/Insert secrets with \{\{ secrets\.NAME \}\}\./)).toBeTruthy();
});
