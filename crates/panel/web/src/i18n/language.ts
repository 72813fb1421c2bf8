import { useSyncExternalStore } from 'react';
import { Listeners } from '../api/listeners';
import { preference } from './preference';

/** The languages of the panel, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

/** The locale of dates and numbers. The region is fixed, so two members see the same text for the same value. */
const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

export const isLanguage = (it: unknown): it is Language =>
  typeof it === 'string' && Object.hasOwn(LANGUAGES, it);

/** The chosen language; otherwise the first language of the browser that the panel has; otherwise English. */
export function initialLanguage(chosen: string | undefined, browser: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  return browser.map((it) => it.split('-')[0]?.toLowerCase()).find(isLanguage) ?? 'en';
}

/** The languages of the browser, the preferred one first. */
export function browserLanguages(): readonly string[] {
  return navigator.languages ?? [navigator.language];
}

const listeners = new Listeners();
let current = initialLanguage(preference.read(), browserLanguages());
document.documentElement.lang = current;

/** The language of the texts on the page. */
export function language(): Language {
  return current;
}

/** The locale of the language, for `Intl`. */
export function locale(): string {
  return LOCALES[current];
}

/** Changes the language. Its texts must be loaded: `switchLanguage` in `load.ts` loads them first. */
export function setLanguage(next: Language): void {
  if (next === current) return;
  current = next;
  document.documentElement.lang = next;
  listeners.notify();
}

/** The language, for a component that renders again when it changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(listeners.subscribe, language);
}
