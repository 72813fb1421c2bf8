import { afterEach, expect, test, vi } from 'vitest';
import { language, setLanguage } from '../i18n/language';
import { preference } from '../i18n/preference';
import { followAccountLanguage } from './account-language';
import { SessionStore } from './session';

const saveAccount = vi.hoisted(() => vi.fn());
vi.mock('../settings/api', () => ({ saveAccount }));

let stop: (() => void) | undefined;
afterEach(() => {
  stop?.();
  setLanguage('en');
  saveAccount.mockReset();
});

/** A user with a language signs in. */
async function signIn(of: string | null | undefined) {
  const account = { user: { id: 'user_1', language: of }, memberships: [] };
  const store = new SessionStore({ onmessage: null, postMessage() {} }, async (input) =>
    Response.json(String(input) === '/auth/me' ? account : { access_token: 'token', expires_in: 604_800 }),
  );
  stop = followAccountLanguage(store);
  await store.restore();
  return { store, account };
}

test('uses the language of the account, and copies it to the browser', async () => {
  const { store, account } = await signIn('de');
  await vi.waitFor(() => expect(language()).toBe('de'));
  expect([preference.read(), preference.isOfAccount()]).toEqual(['de', true]);
  account.user.language = 'en';
  await store.reload();
  await vi.waitFor(() => expect(language()).toBe('en'));
});

test('the account replaces a choice in the browser', async () => {
  preference.store('de', 'browser');
  setLanguage('de');
  await signIn('en');
  await vi.waitFor(() => expect(language()).toBe('en'));
  expect(saveAccount).not.toHaveBeenCalled();
});

test('stores the choice in the browser in an account without a language', async () => {
  preference.store('de', 'browser');
  setLanguage('de');
  await signIn(null);
  await vi.waitFor(() => expect(saveAccount).toHaveBeenCalledWith({ language: 'de' }));
  expect(language()).toBe('de');
});

test('does not store the language of another account in an account without one', async () => {
  preference.store('de', 'account');
  setLanguage('de');
  await signIn(null);
  await vi.waitFor(() => expect(language()).toBe('en'));
  expect(preference.read()).toBeUndefined();
  expect(saveAccount).not.toHaveBeenCalled();
});

test('changes nothing if the server stores no language', async () => {
  preference.store('de', 'browser');
  await signIn(undefined);
  expect(saveAccount).not.toHaveBeenCalled();
  expect(preference.read()).toBe('de');
});
