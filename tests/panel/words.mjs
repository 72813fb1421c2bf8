// The texts of the panel in a language, by group and key.
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'crates/panel/web/src/i18n';

/** Returns the texts of a language, as a function of a path such as `inbox.keys.walk`. A group also has the common texts. */
export function wordsOf(language) {
  const groups = new Map();
  const find = (group, keys) => {
    if (!groups.has(group)) groups.set(group, groupOf(language, group));
    return keys.reduce((it, key) => it?.[key], groups.get(group));
  };
  return (path) => {
    const [group, ...keys] = path.split('.');
    const text = find(group, keys) ?? find('common', keys);
    if (typeof text !== 'string') throw new Error(`the panel has no text ${path}`);
    return text;
  };
}

/** Reads the object of a file without its types. */
function groupOf(language, group) {
  const source = readFileSync(`${FOLDER}/${language}/${group}.ts`, 'utf8');
  const [, object] = /export default (\{.*\})/s.exec(source);
  return new Function(`return ${object}`)();
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A pattern that matches a text with any parameters. */
export function patternOf(text) {
  return new RegExp(text.split(PARAMETER).map(escaped).join('.+'));
}

const PARAMETER = /\{\{\w+\}\}/;
/** The fewest letters of a text with parameters that is recognised. Others, such as `{{type}}: {{verb}}`, match any text. */
const LETTERS = 4;
/** The shortest part of a text that is recognised. */
const PART = 12;

/**
 * Returns a page or locator that also finds the German translation of an English name or text. So functions with English
 * names open dialogs in German. A name that is not a text of the panel is not translated.
 */
export function inGerman(target) {
  return new Proxy(target, {
    get(it, key) {
      const member = it[key];
      if (typeof member !== 'function') return member;
      return (...args) => {
        const found = member.apply(it, germanArguments(String(key), args));
        return typeof found?.getByRole === 'function' ? inGerman(found) : found;
      };
    },
  });
}

function germanArguments(method, [first, options, ...rest]) {
  if (method === 'getByRole' && options?.name !== undefined) {
    const { exact, ...others } = options;
    return [first, { ...others, name: germanPattern(options.name, exact) }, ...rest];
  }
  if (['getByText', 'getByLabel', 'getByPlaceholder'].includes(method)) return [germanPattern(first, options?.exact)];
  return options === undefined ? [first].filter((it) => it !== undefined) : [first, options, ...rest];
}

/** A pattern for an English name or text and its translations. A text is a whole name if `exact`, otherwise a part of one. */
export function germanPattern(english, exact = false) {
  if (english instanceof RegExp) {
    const texts = pairs().filter(([en]) => english.test(en.replace(/\{\{\w+\}\}/g, '1'))).map(([, de]) => patternOf(de).source);
    return new RegExp([english.source, ...texts].map((it) => `(?:${it})`).join('|'), english.flags);
  }
  const same = pairs().filter(([en]) => en === english).map(([, de]) => escaped(de));
  const texts = same.length > 0 ? same : pairs().flatMap(([en, de]) => [...translated(en, de, english), ...partOf(en, de, english, exact)]);
  const all = [...new Set([escaped(english), ...texts])].join('|');
  return exact ? new RegExp(`^\\s*(?:${all})\\s*$`) : new RegExp(all, 'i');
}

/** The pattern of the German text if this is a part of the English text. */
function partOf(en, de, part, exact) {
  return !exact && part.length >= PART && en.includes(part) ? [patternOf(de).source] : [];
}

/** The pattern of the German text if the English text has this value. Its parameters are translated too. */
function translated(en, de, value) {
  const names = [...en.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  const fixed = en.split(PARAMETER);
  if (names.length > 0 && fixed.join('').replace(/[^a-z]/gi, '').length < LETTERS) return [];
  const found = new RegExp(`^${fixed.map(escaped).join('(.+)')}$`).exec(value);
  if (!found) return [];
  const valueOf = (name) => {
    const at = names.indexOf(name);
    if (at < 0) return '.+';
    const words = pairs().filter(([text]) => text === found[at + 1]).map(([, text]) => escaped(text));
    return `(?:${[...new Set([escaped(found[at + 1]), ...words])].join('|')})`;
  };
  const parts = de.split(/(\{\{\w+\}\})/).map((it) => (PARAMETER.test(it) ? valueOf(it.slice(2, -2)) : escaped(it)));
  return [parts.join('')];
}

let known;

/** All texts in English and German. */
function pairs() {
  known ??= readdirSync(`${FOLDER}/en`).flatMap((file) => {
    const group = file.replace(/\.ts$/, '');
    return pairsIn(groupOf('en', group), groupOf('de', group));
  });
  return known;
}

function pairsIn(en, de) {
  return Object.entries(en).flatMap(([key, it]) => (typeof it === 'string' ? [[it, de[key]]] : pairsIn(it, de[key])));
}
