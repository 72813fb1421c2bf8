// The texts of the panel in a language, by group and key.
import { readFileSync } from 'node:fs';

const FOLDER = 'crates/panel/web/src/i18n';

/** Returns the texts of a language, as a function of a path such as `inbox.keys.walk`. */
export function wordsOf(language) {
  const groups = new Map();
  return (path) => {
    const [group, ...keys] = path.split('.');
    if (!groups.has(group)) groups.set(group, groupOf(language, group));
    const text = keys.reduce((it, key) => it?.[key], groups.get(group));
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
