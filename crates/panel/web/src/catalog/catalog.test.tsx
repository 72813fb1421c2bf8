import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { LIVE, problem, serve, show } from '../settings/testing';
import { BotFields } from './bot-fields';
import { creationOf, FRESH, fieldDraftOf, updateOf } from './field-draft';
import { Tags } from './tags';

const common = { created_at: LIVE.created_at, updated_at: LIVE.updated_at, version: 1 };
const vip = {
  ...common,
  id: 'tag_vip',
  name: 'vip',
  color: null,
  description: 'Good ones',
  contact_count: 3,
};
const list = (...data: unknown[]) => ({ data, next_cursor: null });
const tags = {
  'GET /api/v1/tags': () => list(vip),
  'GET /api/v1/tags/tag_vip': () => Response.json(vip, { headers: { ETag: '"1-a"' } }),
};

test('reports a name that is already used at its field', async () => {
  serve({ ...tags, 'POST /api/v1/tags': () => problem(409, 'name_taken', 'It is taken.') });
  show(<Tags />, { path: '/?create=true' });
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'VIP');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create tag' }));
  expect(await within(dialog).findByText('This name is already used.')).toBeTruthy();
});

test('the server filters tags, and the address opens a tag that the filter leaves out', async () => {
  const asked: (string | null)[] = [];
  serve({
    ...tags,
    'GET /api/v1/tags': (_, request) => {
      const q = new URL(request.url).searchParams.get('q');
      asked.push(q);
      return q ? { ...list(), total: 0 } : { ...list(vip), total: 1 };
    },
  });
  show(<Tags />, { path: '/?q=gold&open=tag_vip' });
  expect(await screen.findByRole('textbox', { name: 'Description' })).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Clear the filter' }));
  expect(await screen.findByRole('cell', { name: 'vip' })).toBeTruthy();
  expect(asked.at(-1)).toBeNull();
});

test('filters complete lists on the page, and counts all rows', async () => {
  const field = (id: string, name: string) => ({ ...common, id, name, key: id, type: 'text', value: null });
  const rows = list(field('price', 'Price'), field('season', 'Season'));
  serve({ 'GET /api/v1/bot-fields': () => rows });
  show(<BotFields />, { path: '/?q=sea' });
  expect(await screen.findByText('1 of 2')).toBeTruthy();
  expect(screen.getByRole('cell', { name: 'Season' })).toBeTruthy();
  expect(screen.queryByRole('cell', { name: 'Price' })).toBeNull();
});

test('reports an ID without an object', async () => {
  serve({ ...tags, 'GET /api/v1/tags/tag_x': () => problem(404, 'not_found', 'No tag.') });
  show(<Tags />, { path: '/?open=tag_x' });
  expect(await screen.findByText(/No object has this ID/)).toBeTruthy();
});

test('shows the dependents of a tag before it is deleted', async () => {
  const forced: (string | null)[] = [];
  serve({
    ...tags,
    'DELETE /api/v1/tags/tag_vip': (_, request) => {
      const force = new URL(request.url).searchParams.get('force');
      forced.push(force);
      if (force === 'true') return new Response(null, { status: 204 });
      const dependents = [{ type: 'segment', id: 'seg_1', name: 'Good customers' }];
      return Response.json(
        { status: 409, code: 'in_use', detail: 'It is named.', dependents },
        { status: 409 },
      );
    },
  });
  show(<Tags />, { path: '/?open=tag_vip' });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete tag' }));
  const asked = await screen.findByRole('dialog', { name: 'Delete “vip”?' });
  await userEvent.click(within(asked).getByRole('button', { name: 'Delete tag' }));
  expect(await within(asked).findByText('Good customers')).toBeTruthy();
  await userEvent.click(within(asked).getByRole('button', { name: 'Delete anyway' }));
  await waitFor(() => expect(forced).toEqual(['false', 'true']));
});

test('saves a tag only on the version that was shown', async () => {
  const save = vi.fn((_body: unknown, request: Request) => {
    expect(request.headers.get('If-Match')).toBe('"1-a"');
    return vip;
  });
  serve({ ...tags, 'PATCH /api/v1/tags/tag_vip': save });
  show(<Tags />, { path: '/?open=tag_vip', role: 'member' });
  await userEvent.clear(await screen.findByRole('textbox', { name: 'Description' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(save.mock.calls[0]?.[0]).toEqual({ description: null }));
  expect(screen.queryByRole('button', { name: 'Delete tag' })).toBeNull();
});

test('sends the value of a bot field in its type', async () => {
  const price = { ...common, id: 'botfield_1', key: 'price', name: 'Price', type: 'number', value: 5 };
  const set = vi.fn(() => price);
  serve({
    'GET /api/v1/bot-fields': () => list(price),
    'GET /api/v1/bot-fields/botfield_1': () => Response.json(price, { headers: { ETag: '"1-a"' } }),
    'POST /api/v1/bot-fields/botfield_1': set,
  });
  show(<BotFields />, { path: '/?open=botfield_1' });
  const field = await screen.findByRole('textbox', { name: 'Value' });
  await userEvent.clear(field);
  await userEvent.type(field, '12');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(set.mock.calls[0]?.at(0)).toEqual({ value: 12 }));
});

test('shows the value of a bot field in the format of the language', () =>
  inLanguage('de', async () => {
    const row = (id: string, type: string, value: unknown) => ({
      ...common,
      id,
      key: id,
      name: id,
      type,
      value,
    });
    const rows = [
      row('open', 'boolean', true),
      row('price', 'number', 1234.5),
      row('start', 'date', '2026-03-05'),
    ];
    serve({ 'GET /api/v1/bot-fields': () => list(...rows) });
    show(<BotFields />);
    expect(await screen.findByRole('row', { name: /^open open ja oder nein ja / })).toBeTruthy();
    expect(screen.getByRole('row', { name: /^price price Zahl 1\.234,5 / })).toBeTruthy();
    expect(screen.getByRole('row', { name: /^start start Datum 05\.03\.2026 / })).toBeTruthy();
  }));

test('sends only the members that the type of a custom field has', () => {
  expect(creationOf({ ...FRESH, name: ' Plan ', type: 'select', options: ['gold'], min: '3' })).toEqual({
    name: 'Plan',
    type: 'select',
    options: ['gold'],
  });
  expect(creationOf({ ...FRESH, name: 'Seats', type: 'number', min: '1' }).validation).toEqual({ min: 1 });
  const field = {
    ...common,
    id: 'field_1',
    key: 'seats',
    name: 'Seats',
    type: 'number' as const,
    options: [],
    validation: { min: 1, max: 9 },
  };
  expect(updateOf(fieldDraftOf(field), { max: '' })).toEqual({ validation: { min: 1 } });
  expect(updateOf(fieldDraftOf(field), { name: 'Places' })).toEqual({ name: 'Places' });
});
