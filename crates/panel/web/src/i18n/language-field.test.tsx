import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Login } from '../login/page';
import { Profile } from '../settings/profile';
import { problem, serve, show } from '../settings/testing';
import { language, setLanguage, useLanguage } from './language';
import { preference } from './preference';

afterEach(() => {
  cleanup();
  setLanguage('en');
});

/** Draws a page again in another language, as the panel does. */
function Panel({ children }: { children: React.ReactNode }) {
  return <div key={useLanguage()}>{children}</div>;
}

test('the sign-in page changes its language, keeps the focus, and stores the choice', async () => {
  serve({});
  show(
    <Panel>
      <Login />
    </Panel>,
    { path: '/login', route: '/login', signedIn: false },
  );
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  const field = screen.getByRole('combobox', { name: 'Language' });
  expect(
    within(field)
      .getAllByRole('option')
      .map((it) => it.textContent),
  ).toEqual(['English', 'Deutsch']);
  await userEvent.selectOptions(field, 'Deutsch');
  expect(await screen.findByRole('heading', { name: 'Anmelden' })).toBeTruthy();
  expect(screen.getByLabelText('E-Mail')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Sprache' }));
  expect(document.documentElement.lang).toBe('de');
  expect(document.title).toBe('Anmelden · Tidings');
  expect(preference.read()).toBe('de');
});

test('the profile saves the language in the account', async () => {
  const saved = vi.fn();
  serve({
    'GET /auth/sessions': () => ({ data: [] }),
    'PATCH /auth/me': (body) => {
      saved(body);
      return {};
    },
  });
  show(
    <Panel>
      <Profile />
    </Panel>,
  );
  const field = await screen.findByRole('combobox', { name: 'Language' });
  expect(within(field).getAllByRole('option')[0]?.textContent).toBe('Language of the browser (English)');
  await userEvent.selectOptions(field, 'Deutsch');
  await waitFor(() => expect(language()).toBe('de'));
  expect(saved).toHaveBeenCalledWith({ language: 'de' });
  expect([preference.read(), preference.isOfAccount()]).toEqual(['de', true]);
  expect(await screen.findByRole('combobox', { name: 'Sprache' })).toBeTruthy();
});

test('does not show a language that the server does not save', async () => {
  serve({
    'GET /auth/sessions': () => ({ data: [] }),
    'PATCH /auth/me': () => problem(503, 'unavailable', 'Try again later.'),
  });
  show(<Profile />);
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Deutsch');
  expect(await screen.findByText('Try again later.')).toBeTruthy();
  expect(language()).toBe('en');
});
