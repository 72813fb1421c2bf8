import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Profile } from './profile';
import { LIVE, problem, serve, show } from './testing';
import { WorkspaceSettings } from './workspace';

const PATH = `/platform/workspaces/${LIVE.id}`;
const tagged = (workspace: object, etag: string) => Response.json(workspace, { headers: { ETag: etag } });
const me = { 'GET /api/v1/me': () => ({ requests_per_minute: 2500 }) };

test('saves only changes, on the version that was shown', async () => {
  const saved = vi.fn();
  serve({
    ...me,
    [`GET ${PATH}`]: () => tagged(LIVE, '"1-a"'),
    [`PATCH ${PATH}`]: (body, request) => {
      saved(body, request.headers.get('If-Match'));
      return tagged({ ...LIVE, name: 'Acme GmbH', version: 2 }, '"2-b"');
    },
  });
  show(<WorkspaceSettings />);
  const name = await screen.findByRole('textbox', { name: 'Name' });
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
  await userEvent.type(name, ' ');
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
  await userEvent.type(name, 'GmbH ');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByText('Saved');
  expect(saved).toHaveBeenCalledExactlyOnceWith({ name: 'Acme GmbH' }, '"1-a"');
});

test('a conflict shows the other changes, and can save over them', async () => {
  const theirs = { ...LIVE, name: 'Acme AG', time_zone: 'Europe/Zurich', version: 2 };
  const saved = vi.fn();
  let reads = 0;
  serve({
    ...me,
    [`GET ${PATH}`]: () => {
      reads += 1;
      return reads === 1 ? tagged(LIVE, '"1-a"') : tagged(theirs, '"2-b"');
    },
    [`PATCH ${PATH}`]: (body, request) => {
      if (request.headers.get('If-Match') === '"1-a"') return problem(412, 'precondition_failed', 'Changed.');
      saved(body, request.headers.get('If-Match'));
      return tagged({ ...theirs, ...(body as object), version: 3 }, '"3-c"');
    },
  });
  show(<WorkspaceSettings />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), ' GmbH');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  const alert = await screen.findByRole('alert');
  const rows = within(alert)
    .getAllByRole('row')
    .map((row) => row.textContent);
  expect(rows.slice(1)).toEqual(['NameAcmeAcme AGAcme GmbH', 'Time zoneUTCEurope/Zurichnot changed']);
  await userEvent.click(within(alert).getByRole('button', { name: 'Save my changes' }));
  await waitFor(() => expect(saved).toHaveBeenCalledExactlyOnceWith({ name: 'Acme GmbH' }, '"2-b"'));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

const COUNTRY = 'Country of phone numbers without a country code';
const ASSIGN = 'Assign a conversation to the member who replies';

test('an admin selects a default country by name and stops the assignment on replies', async () => {
  const saved = vi.fn();
  serve({
    ...me,
    [`GET ${PATH}`]: () => tagged(LIVE, '"1-a"'),
    [`PATCH ${PATH}`]: (body) => {
      saved(body);
      return tagged({ ...LIVE, ...(body as object), version: 2 }, '"2-b"');
    },
  });
  show(<WorkspaceSettings />, { role: 'admin' });
  await userEvent.type(await screen.findByRole('combobox', { name: COUNTRY }), 'Germ');
  await userEvent.click(await screen.findByRole('option', { name: 'Germany' }));
  await userEvent.click(screen.getByRole('switch', { name: new RegExp(ASSIGN) }));
  expect(screen.getByText(`Unsaved changes: ${COUNTRY}, ${ASSIGN}`)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByText('Saved');
  expect(saved).toHaveBeenLastCalledWith({ default_country: 'DE', assign_on_reply: false });
  screen.getByRole('button', { name: 'Remove the country' }).focus();
  await userEvent.keyboard('{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByText('Saved');
  expect(saved).toHaveBeenLastCalledWith({ default_country: null });
});

test('a conflict shows countries and switches in words', async () => {
  const theirs = { ...LIVE, default_country: 'AT', assign_on_reply: false, version: 2 };
  let reads = 0;
  serve({
    ...me,
    [`GET ${PATH}`]: () => {
      reads += 1;
      return reads === 1 ? tagged(LIVE, '"1-a"') : tagged(theirs, '"2-b"');
    },
    [`PATCH ${PATH}`]: () => problem(412, 'precondition_failed', 'Changed.'),
  });
  show(<WorkspaceSettings />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  const rows = within(await screen.findByRole('alert')).getAllByRole('row');
  expect(rows.slice(1).map((row) => row.textContent)).toEqual([
    `${COUNTRY}No countryAustrianot changed`,
    `${ASSIGN}onoffnot changed`,
  ]);
});

test('pauses sending after a confirmation, and resumes it', async () => {
  let outbound = 'send';
  const set = vi.fn();
  serve({
    ...me,
    [`GET ${PATH}`]: () => tagged({ ...LIVE, outbound }, '"1-a"'),
    [`PUT ${PATH}/outbound`]: (body) => {
      set(body);
      outbound = (body as { mode: string }).mode;
      return tagged({ ...LIVE, outbound }, '"2-b"');
    },
  });
  show(<WorkspaceSettings />);
  for (const [verb, after] of [
    ['Pause sending', 'paused'],
    ['Resume sending', 'active'],
  ] as const) {
    await userEvent.click(await screen.findByRole('button', { name: verb }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: verb }));
    await screen.findByText(after);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  expect(set.mock.calls).toEqual([[{ mode: 'hold' }], [{ mode: 'send' }]]);
});

test('a member sees that sending is paused, without actions', async () => {
  serve({ ...me, [`GET ${PATH}`]: () => tagged({ ...LIVE, outbound: 'hold' }, '"1-a"') });
  show(<WorkspaceSettings />, { role: 'member' });
  await screen.findByText('paused');
  expect(screen.queryByRole('button', { name: 'Resume sending' })).toBeNull();
});

test('can keep the other changes instead', async () => {
  let reads = 0;
  serve({
    ...me,
    [`GET ${PATH}`]: () => {
      reads += 1;
      return reads === 1 ? tagged(LIVE, '"1-a"') : tagged({ ...LIVE, name: 'Acme AG', version: 2 }, '"2-b"');
    },
    [`PATCH ${PATH}`]: () => problem(412, 'precondition_failed', 'Changed.'),
  });
  show(<WorkspaceSettings />);
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await userEvent.type(name, ' GmbH');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Use the saved version' }));
  expect((name as HTMLInputElement).value).toBe('Acme AG');
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
});

test('asks before the user leaves with unsaved changes', async () => {
  serve({ ...me, [`GET ${PATH}`]: () => tagged(LIVE, '"1-a"') });
  const { router } = show(<WorkspaceSettings />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), '!');
  void router.navigate({ to: '/login' });
  const asked = await screen.findByRole('dialog', { name: 'Leave without saving?' });
  expect(router.state.location.pathname).toBe('/');
  await userEvent.click(within(asked).getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
});

test('members see the plan and its limits, without actions', async () => {
  serve({ ...me, [`GET ${PATH}`]: () => tagged(LIVE, '"1-a"') });
  show(<WorkspaceSettings />, { role: 'member' });
  expect(((await screen.findByRole('textbox', { name: 'Name' })) as HTMLInputElement).readOnly).toBe(true);
  expect(await screen.findByText(/2,500 requests per minute/)).toBeTruthy();
  expect(screen.getByText('Only admins and owners can change these settings.')).toBeTruthy();
  expect((screen.getByRole('textbox', { name: COUNTRY }) as HTMLInputElement).value).toBe('No country');
  expect((screen.getByRole('switch', { name: new RegExp(ASSIGN) }) as HTMLInputElement).disabled).toBe(true);
});

const session = (id: string, current: boolean, user_agent: string | null, last_used_at: string) => ({
  id,
  current,
  user_agent,
  last_used_at,
  network: null,
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2027-01-01T00:00:00.000Z',
});
const sessions = {
  'GET /auth/sessions': () => ({
    data: [
      session('sess_old', false, 'curl/8.5.0', '2026-01-01T00:00:00.000Z'),
      session('sess_new', false, null, '2026-01-03T00:00:00.000Z'),
      session(
        'sess_1',
        true,
        'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Firefox/133.0',
        '2026-01-02T00:00:00.000Z',
      ),
    ],
  }),
};

test('reports a wrong current password at its field, and keeps the typed text', async () => {
  const fault = { pointer: '/current_password', code: 'wrong_password', message: 'is not the password' };
  serve({ ...sessions, 'POST /auth/password': () => problem(422, 'validation_failed', 'Wrong.', [fault]) });
  show(<Profile />);
  const current = await screen.findByLabelText('Current password');
  await userEvent.type(current, 'nope');
  await userEvent.type(screen.getByLabelText('New password'), 'long enough now');
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByText('This is not your current password.')).toBeTruthy();
  expect((current as HTMLInputElement).value).toBe('nope');
});

test('lists the current session first, and ends another one', async () => {
  const ended = vi.fn(() => new Response(null, { status: 204 }));
  serve({ ...sessions, 'DELETE /auth/sessions/sess_old': ended });
  show(<Profile />);
  const table = await screen.findByRole('table');
  const devices = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.firstChild?.textContent);
  expect(devices).toEqual(['Firefox on Linuxthis session', 'Unknown device', 'curl']);
  await userEvent.click(within(table).getByRole('button', { name: 'End the session on this device: curl' }));
  await userEvent.click(await screen.findByRole('button', { name: 'End session' }));
  expect(
    await screen.findByText('Session ended: curl. The server rejects it within five seconds.'),
  ).toBeTruthy();
  expect(ended).toHaveBeenCalledTimes(1);
});

test('saves a name without the password, and another address with it', async () => {
  const saved = vi.fn();
  serve({
    'GET /auth/sessions': () => ({ data: [] }),
    'PATCH /auth/me': (body) => {
      saved(body);
      const { email } = body as { email?: string };
      return email === 'bob@acme.example' ? problem(409, 'name_taken', 'Taken.') : {};
    },
  });
  show(<Profile />);
  const save = await screen.findByRole('button', { name: 'Save' });
  expect((save as HTMLButtonElement).disabled).toBe(true);
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' Lovelace');
  await userEvent.click(save);
  await waitFor(() => expect(saved).toHaveBeenLastCalledWith({ name: 'Ada Lovelace' }));
  const email = screen.getByRole('textbox', { name: 'Email' });
  await userEvent.clear(email);
  await userEvent.type(email, 'bob@acme.example');
  expect((save as HTMLButtonElement).disabled).toBe(true);
  await userEvent.type(screen.getAllByLabelText('Current password')[0] as HTMLElement, 'right');
  await userEvent.click(save);
  const sent = { name: 'Ada Lovelace', email: 'bob@acme.example', current_password: 'right' };
  await waitFor(() => expect(saved).toHaveBeenLastCalledWith(sent));
  expect(await screen.findByText('Another account has this email.')).toBeTruthy();
});
