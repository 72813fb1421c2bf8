// The texts of the panel in a language, by group and key.
import { readFileSync } from 'node:fs';

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

/** A pattern that matches a text with any parameters. */
export function patternOf(text) {
  const parts = text.split(/\{\{\w+\}\}/).map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.+'));
}
