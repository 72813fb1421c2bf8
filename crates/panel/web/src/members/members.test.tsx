import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { LIVE, problem, serve, show } from '../settings/testing';
import { Members } from './page';
import type { Member } from './rights';

const PATH = `/platform/workspaces/${LIVE.id}/members`;
const at = '2026-01-01T00:00:00.000Z';
const common = { expires_at: null, created_at: at, updated_at: at, version: 1 };
const me: Member = {
  ...common,
  id: 'user_me',
  status: 'active',
  email: 'ada@acme.example',
  name: 'Ada',
  role: 'owner',
};
const grace: Member = { ...me, id: 'user_grace', email: 'grace@navy.example', name: 'Grace', role: 'admin' };
const list = { [`GET ${PATH}`]: () => ({ data: [me, grace], next_cursor: null }) };

async function invite(email: string) {
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Email' }), email);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Invite' }));
  return dialog;
}

test('shows the link of an invitation once', async () => {
  const post = vi.fn(() => ({
    ...grace,
    id: 'inv_1',
    email: 'new@x.example',
    role: 'member',
    invitation_token: 'tdg_token_1',
  }));
  serve({ ...list, [`POST ${PATH}`]: post });
  show(<Members />, { path: '/?invite=true' });
  const dialog = await invite(' new@x.example ');
  expect(await within(dialog).findByText(`${window.location.origin}/join/tdg_token_1`)).toBeTruthy();
  expect(post).toHaveBeenCalledWith({ email: 'new@x.example', role: 'member' }, expect.anything());
  await userEvent.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText(/tdg_token_1/)).toBeNull());
});

test('a viewer cannot see members, but can leave the workspace', async () => {
  const gone = vi.fn(() => new Response(null, { status: 204 }));
  serve({ [`DELETE ${PATH}/user_me`]: gone });
  show(<Members />, { role: 'viewer' });
  await userEvent.click(await screen.findByRole('button', { name: 'Leave the workspace' }));
  const asked = await screen.findByRole('dialog', { name: 'Leave Acme?' });
  await userEvent.click(within(asked).getByRole('button', { name: 'Leave the workspace' }));
  await waitFor(() => expect(gone).toHaveBeenCalledOnce());
});

test('reports at its field that an address is already a member', async () => {
  serve({ ...list, [`POST ${PATH}`]: () => problem(409, 'name_taken', 'Taken.') });
  show(<Members />, { path: '/?invite=true' });
  const dialog = await invite('grace@navy.example');
  expect(await within(dialog).findByText('This email already belongs to a member.')).toBeTruthy();
});

test('an admin can neither add, change nor remove owners', async () => {
  serve(list);
  show(<Members />, { role: 'admin', path: '/?member=user_me' });
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('Only owners can add, change or remove owners.')).toBeTruthy();
  expect(within(dialog).queryByRole('radio')).toBeNull();
  expect(within(dialog).queryByRole('button', { name: 'Remove' })).toBeNull();
});

test('explains why the last owner cannot leave', async () => {
  serve({ ...list, [`DELETE ${PATH}/user_me`]: () => problem(409, 'last_owner', 'No.') });
  show(<Members />, { path: '/?member=user_me' });
  await userEvent.click(await screen.findByRole('button', { name: 'Leave the workspace' }));
  const asked = await screen.findByRole('dialog', { name: 'Leave Acme?' });
  await userEvent.click(within(asked).getByRole('button', { name: 'Leave the workspace' }));
  expect(
    await within(asked).findByText(/needs at least one owner. First make another member an owner/),
  ).toBeTruthy();
});

test('stores the filter in the address', async () => {
  serve(list);
  const { router } = show(<Members />);
  await userEvent.type(await screen.findByRole('textbox', { name: /Filter/ }), 'navy');
  expect(await screen.findByText('1 of 2 members')).toBeTruthy();
  await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'navy' }));
});

test('creates a password link after a confirmation, and shows it once', async () => {
  const post = vi.fn(() => ({ reset_token: 'tdg_token_2', reset_url: null, expires_at: at }));
  serve({ ...list, [`POST ${PATH}/user_grace/reset-link`]: post });
  show(<Members />, { path: '/?member=user_grace' });
  await userEvent.click(await screen.findByRole('button', { name: 'Create password link' }));
  const asked = await screen.findByRole('dialog', { name: 'Create a password link for Grace?' });
  expect(post).not.toHaveBeenCalled();
  await userEvent.click(within(asked).getByRole('button', { name: 'Create link' }));
  expect(await screen.findByText(`${window.location.origin}/reset/tdg_token_2`)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText(/tdg_token_2/)).toBeNull());
});

test('offers no password link for the own account', async () => {
  serve(list);
  show(<Members />, { path: '/?member=user_me' });
  await screen.findByRole('button', { name: 'Leave the workspace' });
  expect(screen.queryByRole('button', { name: 'Create password link' })).toBeNull();
});
