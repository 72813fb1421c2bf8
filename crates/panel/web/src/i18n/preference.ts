import type { Language } from './language';

const KEY = 'tidings-language';
const OF_ACCOUNT = 'account:';

/** The source of a stored language: the choice of an account, or a choice in this browser before anyone signed in. */
export type Source = 'account' | 'browser';

/** The stored language of this browser. It is used before the account is known, for the first paint. */
export const preference = {
  /** The stored language; `undefined` before the first choice, or if the browser refuses storage. */
  read(): string | undefined {
    const stored = read();
    return stored?.startsWith(OF_ACCOUNT) ? stored.slice(OF_ACCOUNT.length) : stored;
  },
  /** Whether the stored language is a copy of the choice of an account. */
  isOfAccount(): boolean {
    return read()?.startsWith(OF_ACCOUNT) ?? false;
  },
  store(language: Language, source: Source): void {
    write(() => localStorage.setItem(KEY, source === 'account' ? OF_ACCOUNT + language : language));
  },
  clear(): void {
    write(() => localStorage.removeItem(KEY));
  },
};

function read(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(change: () => void): void {
  try {
    change();
  } catch {
    // The choice lasts until the page is closed.
  }
}
