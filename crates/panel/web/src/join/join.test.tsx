import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { session } from '../app/session';
import { inLanguage } from '../i18n/testing';
import { problem, serve, show } from '../settings/testing';
import { Join } from './page';

const TOKEN = 'tdg_token_secret';
const PATH = `/auth/invitations/${TOKEN}`;
const open = {
  [`GET ${PATH}`]: () => ({
    email: 'grace@x.example',
    role: 'admin',
    workspace: { name: 'Acme' },
    invited_by: 'Ada',
    expires_at: '2027-01-01T00:00:00.000Z',
  }),
};

async function fill(password: string) {
  await userEvent.type(await screen.findByRole('textbox', { name: 'Your name' }), 'Grace');
  await userEvent.type(screen.getByLabelText('Choose a password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Join' }));
}

test('joining creates the account, signs in, and does not store the token', async () => {
  const post = vi.fn(() => Response.json({}, { status: 201 }));
  serve({ ...open, [`POST ${PATH}`]: post });
  const signIn = vi.spyOn(session, 'signIn').mockResolvedValue();
  const { router } = show(<Join />, { path: `/join/${TOKEN}`, signedIn: false });
  expect(await screen.findByRole('heading', { name: 'Join Acme' })).toBeTruthy();
  expect(screen.getByText(/sent to grace@x.example, for the role of admin.*Invited by Ada/)).toBeTruthy();
  await fill('correct horse');
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(post).toHaveBeenCalledWith({ name: 'Grace', password: 'correct horse' }, expect.anything());
  expect(signIn).toHaveBeenCalledExactlyOnceWith('grace@x.example', 'correct horse');
  const kept = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.title, document.cookie]);
  expect(kept).not.toContain(TOKEN);
});

test('does not send a password that is too short', async () => {
  const { asked } = serve(open);
  show(<Join />, { path: `/join/${TOKEN}`, signedIn: false });
  await fill('short');
  expect(await screen.findByText('Add 5 more characters.')).toBeTruthy();
  expect(asked).toEqual([`GET ${PATH}`]);
});

test('an invalid invitation links to the sign-in page', async () => {
  serve({ [`GET ${PATH}`]: () => problem(404, 'not_found', 'Gone.') });
  show(<Join />, { path: `/join/${TOKEN}`, signedIn: false });
  expect(await screen.findByText('This invitation is no longer valid')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to sign-in' }).getAttribute('href')).toBe('/login');
});

test('a signed-in user joins with the password of the account', async () => {
  const post = vi.fn(() => Response.json({}, { status: 201 }));
  serve({ ...open, [`POST ${PATH}`]: post });
  vi.spyOn(session, 'reload').mockResolvedValue();
  const { router } = show(<Join />, { path: `/join/${TOKEN}` });
  expect(await screen.findByText(/You are signed in as ada@acme.example/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Your password'), 'my own password');
  await userEvent.click(screen.getByRole('button', { name: 'Join with this account' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(post).toHaveBeenCalledWith({ current_password: 'my own password' }, expect.anything());
  await waitFor(() => expect(session.reload).toHaveBeenCalledOnce());
});

test('reports a wrong password at its field', async () => {
  const wrong = [{ pointer: '/current_password', code: 'wrong_password', message: 'is not the password' }];
  serve({ ...open, [`POST ${PATH}`]: () => problem(422, 'validation_failed', 'Wrong.', wrong) });
  show(<Join />, { path: `/join/${TOKEN}` });
  await userEvent.type(await screen.findByLabelText('Your password'), 'a guess');
  await userEvent.click(screen.getByRole('button', { name: 'Join with this account' }));
  expect(await screen.findByText('Is not the password.')).toBeTruthy();
});

test('a signed-in user can create a new account, and is signed out first', async () => {
  serve({ ...open, [`POST ${PATH}`]: () => Response.json({}, { status: 201 }) });
  const signOut = vi.spyOn(session, 'signOut').mockResolvedValue();
  const signIn = vi.spyOn(session, 'signIn').mockResolvedValue();
  show(<Join />, { path: `/join/${TOKEN}` });
  await userEvent.click(await screen.findByRole('button', { name: 'Create a new account instead' }));
  await fill('correct horse');
  await waitFor(() => expect(signIn).toHaveBeenCalled());
  expect(signOut.mock.invocationCallOrder[0]).toBeLessThan(signIn.mock.invocationCallOrder[0] ?? 0);
});

test('asks to sign in if the address has an account', async () => {
  serve({ ...open, [`POST ${PATH}`]: () => problem(409, 'sign_in_required', 'Sign in.') });
  show(<Join />, { path: `/join/${TOKEN}`, signedIn: false });
  await fill('correct horse');
  expect(await screen.findByText(/grace@x.example already has an account/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'I have an account' }).getAttribute('href')).toContain('to=');
});

test('does not offer to join again if only signing in failed', async () => {
  serve({ ...open, [`POST ${PATH}`]: () => Response.json({}, { status: 201 }) });
  vi.spyOn(session, 'signIn').mockRejectedValue(new Error('away'));
  show(<Join />, { path: `/join/${TOKEN}`, signedIn: false });
  await fill('correct horse');
  expect(await screen.findByText(/Your account was created/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Join' })).toBeNull();
});

test('shows an invitation in German', () =>
  inLanguage('de', async () => {
    serve(open);
    show(<Join />, { path: `/join/${TOKEN}`, signedIn: false });
    expect(await screen.findByRole('heading', { name: 'Acme beitreten' })).toBeTruthy();
    expect(screen.getByText(/ging an grace@x.example, für die Rolle Admin.*Eingeladen von Ada/)).toBeTruthy();
    expect(screen.getByText('Die Einladung ist bis zum 01.01.2027 gültig.')).toBeTruthy();
    await userEvent.type(screen.getByLabelText('Passwort wählen'), 'kurz');
    await userEvent.type(screen.getByRole('textbox', { name: 'Ihr Name' }), 'Grace');
    await userEvent.click(screen.getByRole('button', { name: 'Beitreten' }));
    expect(await screen.findByText('Es fehlen noch 6 Zeichen.')).toBeTruthy();
  }));
