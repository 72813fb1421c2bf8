import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadGroup } from './groups';
import { LANGUAGES, type Language } from './language';
import { flat } from './store';
import { GROUPS } from './testing';

const languages = Object.keys(LANGUAGES) as Language[];
const others = languages.filter((it) => it !== 'en');
const FORM = /_(zero|one|two|few|many|other)$/;

const english = GROUPS.filter((it) => it.language === 'en');
const entriesOf = (language: Language, group: string) =>
  flat(GROUPS.find((it) => it.language === language && it.group === group)?.texts ?? {});

/** The plural texts of a group: the forms by key. A key has a plural if one of its forms is `other`. */
function plurals(entries: [string, string][]): Map<string, string[]> {
  const keys = entries.map(([key]) => key);
  const found = new Map<string, string[]>();
  for (const key of keys.filter((it) => FORM.test(it))) {
    const base = key.replace(FORM, '');
    if (keys.includes(`${base}_other`))
      found.set(base, [...(found.get(base) ?? []), key.slice(base.length + 1)]);
  }
  return found;
}

/** The keys without plural forms, each with the sorted names of its parameters. */
function parameters(entries: [string, string][]): Record<string, string[]> {
  const forms = plurals(entries);
  const found = new Map<string, Set<string>>();
  for (const [key, text] of entries) {
    const base = key.replace(FORM, '');
    const name = forms.has(base) ? base : key;
    const known = found.get(name) ?? new Set(forms.has(base) ? ['count'] : []);
    for (const [, it] of text.matchAll(/\{\{(.+?)\}\}/g)) known.add(it ?? '');
    found.set(name, known);
  }
  return Object.fromEntries([...found].map(([key, names]) => [key, [...names].sort()]));
}

test('finds the groups', () => {
  expect(english.length).toBeGreaterThan(3);
});

test.each(english.flatMap(({ group }) => others.map((language) => [language, group] as const)))(
  '%s has the keys and parameters of the English group %s',
  (language, group) => {
    expect(parameters(entriesOf(language, group))).toEqual(parameters(entriesOf('en', group)));
  },
);

test.each(GROUPS.map(({ language, group }) => [language, group] as const))(
  'the panel can load %s/%s',
  async (language, group) => {
    expect(flat(await loadGroup(language, group)).length).toBeGreaterThan(0);
  },
);

test('each group of another language exists in English', () => {
  const names = english.map((it) => it.group);
  expect(GROUPS.filter((it) => !names.includes(it.group)).map((it) => `${it.language}/${it.group}`)).toEqual(
    [],
  );
});

test.each(GROUPS.map(({ language, group }) => [language, group] as const))(
  'the plurals of %s/%s have all forms of the language',
  (language, group) => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const lacking = [...plurals(entriesOf(language, group))].flatMap(([key, forms]) =>
      needed.filter((it) => !forms.includes(it)).map((it) => `${key}_${it}`),
    );
    expect(lacking).toEqual([]);
  },
);

test.each(GROUPS.map(({ language, group }) => [language, group] as const))(
  'the texts of %s/%s are complete and well formed',
  (language, group) => {
    const wrong = entriesOf(language, group).filter(([, text]) => {
      const rest = text.replaceAll(/\{\{[a-zA-Z]\w*\}\}/g, '');
      return text.trim() !== text || text === '' || /[{}]|\$t\(|\u{F8FF}/u.test(rest);
    });
    expect(wrong).toEqual([]);
  },
);

test('German texts use "Sie"', () => {
  const german = GROUPS.filter((it) => it.language === 'de').flatMap(({ group }) => entriesOf('de', group));
  expect(german.filter(([, text]) => /\b(du|dich|dir|dein\w*|euch|euer\w*)\b/i.test(text))).toEqual([]);
});

test('translates each code of the API', () => {
  const document = JSON.parse(readFileSync('../../../docs/openapi.json', 'utf8')) as {
    components: { schemas: { Problem: { properties: { code: { anyOf: { enum?: string[] }[] } } } } };
  };
  const codes = document.components.schemas.Problem.properties.code.anyOf.flatMap((it) => it.enum ?? []);
  const known = entriesOf('en', 'problems').map(([key]) => key);
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((it) => !known.includes(`codes.${it}`))).toEqual([]);
});
