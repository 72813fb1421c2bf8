import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import type { Role } from '../app/places';
import type { ContactSearch } from '../contacts/search';
import { inLanguage } from '../i18n/testing';
import { type Answers, LIVE, serve, show } from '../settings/testing';
import type { BulkOperation } from './api';
import { BulkDialog, NEW } from './dialog';

const PATH = '/api/v1/contacts/bulk';
const made: BulkOperation = {
  id: 'bulk_1',
  status: 'queued',
  action: { type: 'tag', tag_id: 'tag_vip', field: null, sequence_id: null, flow_id: null },
  filter: {} as never,
  matched: 1200,
  done: 0,
  changed: 0,
  unchanged: 0,
  skipped: 0,
  still_opted_out: 0,
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
  'GET /api/v1/custom-fields': () => ({ data: [], next_cursor: null }),
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

test('counts the contacts first, and changes only the confirmed number', async () => {
  const bodies: { expected_count: number }[] = [];
  const keys: (string | null)[] = [];
  const counts = [1500];
  const previews: unknown[] = [];
  const filter = { field: 'email', op: 'exists' as const };
  serve({
    ...around,
    [`POST ${PATH}/preview`]: (body) => {
      previews.push(body);
      return {
        matched: 1200,
        sample: [
          { contact_id: 'contact_1', name: 'Ada', outcome: 'changed' },
          { contact_id: 'contact_2', name: null, outcome: 'unchanged' },
        ],
      };
    },
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
  const sample = screen.getByRole('region', { name: 'Examples' });
  expect(within(sample).getByText('Ada').parentElement?.textContent).toBe('Adachanges');
  expect(within(sample).getByText('stays unchanged')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Tag 1,200 contacts' }));
  expect(await screen.findByText('The list has changed: it now has 1,500 contacts.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Tag 1,500 contacts' }));
  expect(await screen.findByText('1,500 of 1,500 contacts')).toBeTruthy();
  expect(previews).toEqual([{ filter, action: { type: 'tag', tag_id: 'tag_vip' } }]);
  expect(bodies.map((it) => it.expected_count)).toEqual([1200, 1500]);
  expect(bodies[1]).toMatchObject({ filter, action: { type: 'tag', tag_id: 'tag_vip' } });
  expect([Boolean(keys[0]), keys[0] === keys[1]]).toEqual([true, false]);
});

test('names all contacts, and disables the button for none', async () => {
  serve({ ...around, [`POST ${PATH}/preview`]: () => ({ matched: 0, sample: [] }) });
  open({});
  expect(await screen.findByText(/changes every contact of the workspace/)).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: /Delete/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Count contacts' }));
  expect(await screen.findByText('No contacts match the filters.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Delete 0 contacts' }).hasAttribute('disabled')).toBe(true);
});

test('members cannot remove tags, subscribe or delete', async () => {
  serve(around);
  open({ segment: 'seg_1' }, 'member');
  expect(await screen.findByRole('radio', { name: /Add a tag/ })).toBeTruthy();
  expect(screen.queryByRole('radio', { name: /Delete/ })).toBeNull();
  expect(screen.queryByRole('radio', { name: /Remove a tag/ })).toBeNull();
  expect(screen.queryByRole('radio', { name: /Subscribe/ })).toBeNull();
  expect(screen.getAllByRole('radio')).toHaveLength(5);
});

const plan = { key: 'plan', name: 'Plan', type: 'select', options: ['free', 'pro'] };

test('sets a field to a value of its type', async () => {
  const bodies: unknown[] = [];
  serve({
    ...around,
    'GET /api/v1/custom-fields': () => ({ data: [plan], next_cursor: null }),
    [`POST ${PATH}/preview`]: () => ({ matched: 2, sample: [] }),
    [`POST ${PATH}`]: (body) => {
      bodies.push(body);
      return Response.json(made, { status: 202 });
    },
    [`GET ${PATH}/bulk_1`]: () => ({ ...made, action: { type: 'set_field', tag_id: null, field: 'plan' } }),
  });
  open({ segment: 'seg_1' });
  await userEvent.click(await screen.findByRole('radio', { name: /Set a field/ }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Custom field' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Plan' }));
  expect(screen.getByRole('button', { name: 'Count contacts' }).hasAttribute('disabled')).toBe(true);
  await userEvent.click(await screen.findByRole('combobox', { name: 'Value' }));
  await userEvent.click(await screen.findByRole('option', { name: 'pro' }));
  await userEvent.click(screen.getByRole('button', { name: 'Count contacts' }));
  expect(await screen.findByText('Set “Plan” of 2 contacts to “pro”?')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Change 2 contacts' }));
  expect(await screen.findByText('Set “Plan”')).toBeTruthy();
  const action = { type: 'set_field', field: 'plan', value: 'pro' };
  expect(bodies).toEqual([{ filter: { segment_id: 'seg_1' }, action, expected_count: 2 }]);
});

test('counts contacts that opted out with the reason', async () => {
  const ended = { ...made, status: 'completed', action: { type: 'subscribe', tag_id: null } };
  serve({
    ...around,
    [`POST ${PATH}/preview`]: () => ({
      matched: 12,
      sample: [{ contact_id: 'contact_1', name: 'Ada', outcome: 'still_opted_out' }],
    }),
    [`POST ${PATH}`]: () => Response.json(made, { status: 202 }),
    [`GET ${PATH}/bulk_1`]: () => ({ ...ended, done: 12, changed: 9, still_opted_out: 3 }),
  });
  open({});
  await userEvent.click(await screen.findByRole('radio', { name: /Subscribe/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Count contacts' }));
  expect(await screen.findByText('opted out, stays unchanged')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe 12 contacts' }));
  expect(await screen.findByText(/These contacts opted out themselves/)).toBeTruthy();
  expect(screen.getByText('Still opted out').nextElementSibling?.textContent).toBe('3');
});

test('offers active flows and sequences', async () => {
  const all = (kind: string) => [
    { id: `${kind}_1`, name: `Active ${kind}`, status: 'active' },
    { id: `${kind}_2`, name: `Paused ${kind}`, status: 'paused' },
  ];
  const bodies: unknown[] = [];
  serve({
    ...around,
    'GET /api/v1/flows': () => ({ data: all('flow'), next_cursor: null }),
    'GET /api/v1/sequences': () => ({ data: all('sequence'), next_cursor: null }),
    [`POST ${PATH}/preview`]: (body) => {
      bodies.push((body as { action: unknown }).action);
      return { matched: 1, sample: [{ contact_id: 'contact_1', name: 'Ada', outcome: 'skipped' }] };
    },
  });
  open({});
  for (const [radio, box, option, confirm] of [
    [/Start a flow/, 'Flow', 'Active flow', 'Start “Active flow” for 1 contact?'],
    [/Enroll/, 'Sequence', 'Active sequence', 'Enroll 1 contact in “Active sequence”?'],
  ] as const) {
    await userEvent.click(await screen.findByRole('radio', { name: radio }));
    await userEvent.click(screen.getByRole('combobox', { name: box }));
    await userEvent.click(await screen.findByRole('option', { name: option }));
    expect(screen.queryByRole('option', { name: /Paused/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Count contacts' }));
    expect(await screen.findByText(confirm)).toBeTruthy();
    expect(screen.getByText('is skipped')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
  }
  expect(bodies).toEqual([
    { type: 'start_flow', flow_id: 'flow_1' },
    { type: 'enroll', sequence_id: 'sequence_1' },
  ]);
});

test('shows a running bulk edit, and cancels it', async () => {
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
    [`POST ${PATH}/preview`]: () => ({ matched: 1200, sample: [] }),
  });
  await inLanguage('de', async () => {
    open({});
    const past = await screen.findByRole('region', { name: 'Frühere Massenänderungen' });
    expect(await within(past).findByRole('cell', { name: 'Gelöschtes Tag entfernt' })).toBeTruthy();
    expect(within(past).getByRole('cell', { name: '1.200' })).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: /^Löschen/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Kontakte zählen' }));
    expect(await screen.findByText('1.200 Kontakte löschen?')).toBeTruthy();
    expect(screen.getByRole('button', { name: '1.200 Kontakte löschen' })).toBeTruthy();
  });
});
