import { isLanguage, language } from '../i18n/language';
import { followBrowser, switchLanguage } from '../i18n/load';
import { preference } from '../i18n/preference';
import { type Account, type SessionStore, session } from './session';

/**
 * Shows the language of the account once it is known, and when another tab changes it. An account without a language
 * gets the one that the user chose in this browser before signing in. Returns a function that stops it.
 */
export function followAccountLanguage(store: SessionStore = session): () => void {
  let known: Account['user'] | undefined;
  return store.subscribe(() => {
    const now = store.snapshot();
    const user = now.state === 'in' ? now.account.user : undefined;
    if (user && (user.id !== known?.id || user.language !== known.language)) {
      // The texts are loaded from the server. If that fails, the page stays in its language.
      void show(user).catch(() => undefined);
    }
    known = user;
  });
}

async function show(user: Account['user']): Promise<void> {
  if (isLanguage(user.language)) {
    if (user.language !== language()) await switchLanguage(user.language, 'account');
    else preference.store(user.language, 'account');
    return;
  }
  // A language that this version does not have, or a server of an earlier version.
  if (user.language !== null) return;
  const chosen = preference.read();
  if (!isLanguage(chosen)) return;
  if (preference.isOfAccount()) return followBrowser();
  // Loaded only here, because the first visit must not wait for it.
  const { saveAccount } = await import('../settings/api');
  await saveAccount({ language: chosen });
}
