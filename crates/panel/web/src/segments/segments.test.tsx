import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { emptyLists, LIVE, problem, serve, show } from '../settings/testing';
import type { Segment } from './api';
import { Segments } from './page';
import { countOf, isEverybody, sampleOf } from './state';

const VIP = {
  id: 'seg_vip',
  name: 'Good customers',
  condition: { field: 'first_name', op: 'eq', value: 'Ada' },
  contact_count: 10_000,
  contact_count_is_capped: true,
  created_at: LIVE.created_at,
  updated_at: LIVE.updated_at,
  version: 1,
} as unknown as Segment;
const PATH = '/api/v1/segments';
const list = (...data: unknown[]) => ({ data, next_cursor: null });
const around = {
  [`GET ${PATH}`]: () => list(VIP),
  [`GET ${PATH}/seg_vip`]: () => Response.json(VIP, { headers: { ETag: '"1-a"' } }),
  ...emptyLists('tags', 'custom-fields', 'bot-fields', 'channels'),
  'POST /api/v1/contacts/search': () => list({ id: 'contact_1', name: 'Ada' }, { id: 'contact_2' }),
};

test('marks capped counts, and shows a sample', () => {
  expect(countOf(VIP)).toBe('10,000+');
  expect(countOf({ ...VIP, contact_count: 3, contact_count_is_capped: false })).toBe('3');
  expect(isEverybody({ all: [] })).toBe(true);
  expect(isEverybody(VIP.condition as never)).toBe(false);
  const data = Array.from({ length: 7 }, (_, at) => at);
  expect(sampleOf({ data, next_cursor: 'more' })).toEqual({ shown: [0, 1, 2, 3, 4], count: 7, more: true });
});

test('describes segments in words, and saves one on the version that was shown', async () => {
  const saved = vi.fn();
  serve({
    ...around,
    [`PATCH ${PATH}/seg_vip`]: (body, request) => {
      saved(body, request.headers.get('If-Match'));
      return { ...VIP, version: 2 };
    },
  });
  show(<Segments />, { path: '/?open=seg_vip' });
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText('2 contacts are in it now')).toBeTruthy();
  expect(within(dialog).getByRole('link', { name: 'Ada' })).toBeTruthy();
  expect(within(dialog).getByRole('link', { name: 'Contact without a name' })).toBeTruthy();
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), '!');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(saved).toHaveBeenCalledWith({ name: 'Good customers!' }, '"1-a"'));
});

test('creates a segment from a filter, and reports a used name at its field', async () => {
  const made = vi.fn();
  serve({
    ...around,
    [`POST ${PATH}`]: (body) => {
      made(body);
      return problem(409, 'name_taken', 'Taken.');
    },
  });
  const filter = encodeURIComponent(JSON.stringify(VIP.condition));
  show(<Segments />, { path: `/?create=true&filter=${filter}` });
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Adas');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create segment' }));
  expect(await within(dialog).findByText('This name is already used.')).toBeTruthy();
  expect(made).toHaveBeenCalledWith({ name: 'Adas', condition: VIP.condition });
});

test('shows the dependents of a segment before it is deleted', async () => {
  const forced: (string | null)[] = [];
  serve({
    ...around,
    [`DELETE ${PATH}/seg_vip`]: (_, request) => {
      const force = new URL(request.url).searchParams.get('force');
      forced.push(force);
      if (force === 'true') return new Response(null, { status: 204 });
      const dependents = [{ type: 'broadcast', id: 'bcast_1', name: 'Spring news' }];
      return Response.json({ status: 409, code: 'in_use', detail: 'Named.', dependents }, { status: 409 });
    },
  });
  show(<Segments />, { path: '/?open=seg_vip' });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete segment' }));
  const asked = await screen.findByRole('dialog', { name: 'Delete “Good customers”?' });
  await userEvent.click(within(asked).getByRole('button', { name: 'Delete segment' }));
  expect(await within(asked).findByText('Spring news')).toBeTruthy();
  await userEvent.click(within(asked).getByRole('button', { name: 'Delete anyway' }));
  await waitFor(() => expect(forced).toEqual(['false', 'true']));
});

test('a viewer sees the rules as a sentence, without actions', async () => {
  serve(around);
  show(<Segments />, { role: 'viewer', path: '/?open=seg_vip' });
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText(/^First name is .?Ada.?$/)).toBeTruthy();
  expect(within(dialog).queryByRole('button', { name: /Delete|Save|Add/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Create segment' })).toBeNull();
});

test('shows the page in German', () =>
  inLanguage('de', async () => {
    serve(around);
    show(<Segments />, { path: '/?open=seg_vip' });
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText('Derzeit 2 Kontakte enthalten')).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Regel hinzufügen' })).toBeTruthy();
    expect(screen.getByRole('row', { name: /Vorname ist „Ada“.* 10\.000\+/ })).toBeTruthy();
  }));
