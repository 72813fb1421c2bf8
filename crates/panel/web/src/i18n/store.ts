import { createInstance } from 'i18next';
import type { Group } from './groups';
import type { Tree } from './keys';
import type { Language } from './language';

/** i18next with the texts that are loaded. Keys such as `views.open` are stored flat: parts of a key may contain dots. */
const i18n = createInstance();
void i18n.init({
  initAsync: false,
  fallbackLng: false,
  keySeparator: false,
  nsSeparator: false,
  // React escapes texts.
  interpolation: { escapeValue: false },
  parseMissingKeyHandler: (key) => {
    // Types and tests find a missing key, so a text can be missing only if its group is not loaded.
    if (import.meta.env.PROD) return key;
    throw new Error(
      `No text for the key "${key}". A module must call texts() of its group, and t() only in functions.`,
    );
  },
});

/** Adds the texts of a group. */
export function addTexts(language: Language, group: Group, texts: Tree): void {
  i18n.addResourceBundle(language, group, Object.fromEntries(flat(texts)));
}

export function hasTexts(language: Language, group: Group): boolean {
  return i18n.hasResourceBundle(language, group);
}

/** Key and text of each text of a tree. */
export function flat(texts: Tree, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, it]) =>
    typeof it === 'string' ? [[path + key, it] as [string, string]] : flat(it, `${path}${key}.`),
  );
}

/** A group, and the group with the texts that it lacks. */
const spaces = (group: Group) => [group, 'common'];

/** The text of a key. Parameters are inserted as they are: a value that looks like a placeholder stays one. */
export function translate(
  language: Language,
  group: Group,
  key: string,
  params: Record<string, string>,
  count?: number,
): string {
  return i18n.t(key, { lng: language, ns: spaces(group), replace: params, count, nest: false });
}

export function isText(language: Language, group: Group, key: string): boolean {
  return i18n.exists(key, { lng: language, ns: spaces(group) });
}
