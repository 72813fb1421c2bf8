import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { session } from '../app/session';
import { problem, serve, show } from '../settings/testing';
import { Reset } from './page';

const TOKEN = 'tdg_token_secret';
const PATH = `/auth/reset-links/${TOKEN}`;
const at = { path: `/reset/${TOKEN}`, route: '/reset/$token', signedIn: false };
const open = {
  [`GET ${PATH}`]: () => ({ email: 'ada@acme.example', expires_at: '2027-01-01T00:00:00.000Z' }),
};

test('sets the password once, signs in, and does not store the token', async () => {
  const post = vi.fn(() => Response.json({}));
  serve({ ...open, [`POST ${PATH}`]: post });
  const signIn = vi.spyOn(session, 'signIn').mockResolvedValue();
  const { router } = show(<Reset />, at);
  expect(await screen.findByText(/ada@acme.example/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Choose a password'), 'short');
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }));
  expect(await screen.findByText('Add 5 more characters.')).toBeTruthy();
  expect(post).not.toHaveBeenCalled();
  await userEvent.type(screen.getByLabelText('Choose a password'), ' horse');
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(post).toHaveBeenCalledExactlyOnceWith({ password: 'short horse' }, expect.anything());
  expect(signIn).toHaveBeenCalledExactlyOnceWith('ada@acme.example', 'short horse');
  const kept = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.title, document.cookie]);
  expect(kept).not.toContain(TOKEN);
});

test('an invalid link links to the sign-in page', async () => {
  serve({ [`GET ${PATH}`]: () => problem(404, 'not_found', 'Gone.') });
  show(<Reset />, at);
  expect(await screen.findByText('This link is no longer valid')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to sign-in' }).getAttribute('href')).toBe('/login');
});
