import type { Language } from './language';

const KEY = 'tidings-language';

/**
 * The language that a person chose. This browser stores it, as the account of the API has no language. Only this
 * file changes when the account has one.
 */
export const preference = {
  /** The stored choice; `undefined` before the first one, or if the browser refuses storage. */
  read(): string | undefined {
    try {
      return localStorage.getItem(KEY) ?? undefined;
    } catch {
      return undefined;
    }
  },
  store(language: Language): void {
    try {
      localStorage.setItem(KEY, language);
    } catch {
      // The choice lasts until the page is closed.
    }
  },
};
