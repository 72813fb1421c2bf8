import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Role } from '../app/places';
import type { ContactSearch } from '../contacts/search';
import { inLanguage } from '../i18n/testing';
import { type Answers, LIVE, serve, show } from '../settings/testing';
import type { BulkOperation } from './api';
import { BulkDialog, NEW } from './dialog';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const PATH = '/api/v1/contacts/bulk';
const made: BulkOperation = {
  id: 'bulk_1',
  status: 'queued',
  action: { type: 'tag', tag_id: 'tag_vip' },
  filter: {} as never,
  matched: 1200,
  done: 0,
  changed: 0,
  unchanged: 0,
  failed: 0,
  error: null,
  created_by: { type: 'user', id: 'user_me' },
  created_at: LIVE.created_at,
  updated_at: LIVE.updated_at,
  started_at: null,
  ended_at: null,
  version: 1,
};
const around: Answers = {
  'GET /api/v1/tags': () => ({ data: [{ id: 'tag_vip', name: 'vip' }], next_cursor: null }),
  [`GET ${PATH}`]: () => ({ data: [], next_cursor: null }),
};
const counted = (count: number) =>
  Response.json(
    { status: 409, code: 'audience_changed', detail: 'Others are chosen.', count },
    { status: 409 },
  );

function Opened({ search }: { search: ContactSearch }) {
  const [bulk, setBulk] = useState<string | undefined>(NEW);
  return <BulkDialog search={{ ...search, bulk }} show={setBulk} />;
}
const open = (search: ContactSearch, role: Role = 'owner') => show(<Opened search={search} />, { role });

async function chooseTag() {
  await userEvent.click(await screen.findByRole('combobox', { name: 'Tag' }));
  await userEvent.click(await screen.findByRole('option', { name: 'vip' }));
}

test('what is done to all is counted first, then done to as many as one saw', async () => {
  const bodies: { expected_count: number }[] = [];
  const keys: (string | null)[] = [];
  const counts = [1200, 1500];
  const filter = { field: 'email', op: 'exists' as const };
  serve({
    ...around,
    [`POST ${PATH}`]: (body, request) => {
      bodies.push(body as never);
      keys.push(request.headers.get('Idempotency-Key'));
      const count = counts.shift();
      return count === undefined ? Response.json(made, { status: 202 }) : counted(count);
    },
    [`GET ${PATH}/bulk_1`]: () => ({ ...made, status: 'completed', done: 1500, changed: 1500 }),
  });
  open({ filter });
  await chooseTag();
  await userEvent.click(screen.getByRole('button', { name: 'Count contacts' }));
  expect(await screen.findByText('Add “vip” to 1,200 contacts?')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Tag 1,200 contacts' }));
  expect(await screen.findByText('The list has changed: it now has 1,500 contacts.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Tag 1,500 contacts' }));
  expect(await screen.findByText('1,500 of 1,500 contacts')).toBeTruthy();
  expect(bodies.map((it) => it.expected_count)).toEqual([1_000_000_000, 1200, 1500]);
  expect(bodies[2]).toMatchObject({ filter, action: { type: 'tag', tag_id: 'tag_vip' } });
  expect([keys[0], Boolean(keys[1]), keys[1] === keys[2]]).toEqual([null, true, false]);
});

test('everybody is named so, and nobody is nothing to do', async () => {
  serve({ ...around, [`POST ${PATH}`]: () => counted(0) });
  open({});
  expect(await screen.findByText(/changes every contact of the workspace/)).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: /Delete/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Count contacts' }));
  expect(await screen.findByText('No contacts match the filters.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Delete 0 contacts' }).hasAttribute('disabled')).toBe(true);
});

test('who is no admin adds tags alone', async () => {
  serve(around);
  open({ segment: 'seg_1' }, 'member');
  expect(await screen.findByRole('radio', { name: /Add a tag/ })).toBeTruthy();
  expect(screen.queryByRole('radio', { name: /Delete/ })).toBeNull();
  expect(screen.queryByRole('radio', { name: /Remove a tag/ })).toBeNull();
});

test('one that goes on is shown and cancelled', async () => {
  let cancelled = false;
  const now = () => ({
    ...made,
    status: cancelled ? 'cancelled' : 'running',
    done: 300,
    changed: 280,
    unchanged: 20,
    ended_at: cancelled ? LIVE.created_at : null,
  });
  serve({
    ...around,
    [`GET ${PATH}`]: () => ({ data: [now()], next_cursor: null }),
    [`GET ${PATH}/bulk_1`]: now,
    [`POST ${PATH}/bulk_1/cancel`]: () => {
      cancelled = true;
      return now();
    },
  });
  open({});
  const past = await screen.findByRole('region', { name: 'Past bulk edits' });
  await userEvent.click(await within(past).findByRole('cell', { name: 'Added “vip”' }));
  expect(await screen.findByText('300 of 1,200 contacts')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel bulk edit' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel bulk edit' })).toBeNull());
  expect(await screen.findByText('cancelled')).toBeTruthy();
});

test('the dialog is in German', async () => {
  const ended = {
    ...made,
    status: 'completed',
    action: { type: 'untag', tag_id: 'tag_gone' },
    changed: 1200,
  };
  serve({
    ...around,
    [`GET ${PATH}`]: () => ({ data: [ended], next_cursor: null }),
    [`POST ${PATH}`]: () => counted(1200),
  });
  await inLanguage('de', async () => {
    open({});
    const past = await screen.findByRole('region', { name: 'Frühere Sammeländerungen' });
    expect(await within(past).findByRole('cell', { name: 'Gelöschtes Tag entfernt' })).toBeTruthy();
    expect(within(past).getByRole('cell', { name: '1.200' })).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: /^Löschen/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Kontakte zählen' }));
    expect(await screen.findByText('1.200 Kontakte löschen?')).toBeTruthy();
    expect(screen.getByRole('button', { name: '1.200 Kontakte löschen' })).toBeTruthy();
  });
});
