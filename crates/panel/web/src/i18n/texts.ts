import { createElement, Fragment, isValidElement } from 'react';
import { number } from './format';
import type { Group, Groups } from './groups';
import type { Keys, Shared, Texts } from './keys';
import { language } from './language';
import { want } from './load';
import { isText, translate } from './store';

type Values = Record<string, unknown>;

/**
 * The texts of a group: `const t = texts('inbox')` at the top of a module, `t('title')` in its functions. The texts
 * are loaded with the part of the panel that contains the module. A key that the group lacks is a key of `common`,
 * which is part of the first load. `t` reads the language each time that it is called; a constant of a module that
 * calls it would be evaluated before the texts are loaded.
 */
export function texts<G extends Group>(group: G): Texts<Shared<Keys<Groups[G]>, Keys<Groups['common']>>> {
  want(group);
  const t = (key: string, values: Values = {}) => text(group, key, values, shown);
  t.find = (above: string, value: string | null | undefined, values: Values = {}) => {
    const key = `${above}.${value}`;
    return isText(language(), group, key) ? text(group, key, values, shown) : undefined;
  };
  t.rich = (key: string, values: Values) => rich(group, key, values);
  return t as never;
}

function shown(value: unknown): string {
  return typeof value === 'number' ? number(value) : String(value);
}

function text(
  group: Group,
  key: string,
  values: Values,
  show: (value: unknown, at: number) => string,
): string {
  const params = Object.fromEntries(Object.entries(values).map(([name, it], at) => [name, show(it, at)]));
  const { count } = values;
  return translate(language(), group, key, params, typeof count === 'number' ? count : undefined);
}

/** Marks the place of an element in a text. No text contains this character, and it is removed from values. */
const MARK = '\u{F8FF}';

function rich(group: Group, key: string, values: Values): React.ReactNode {
  const nodes = Object.values(values);
  const marked = text(group, key, values, (it, at) =>
    isValidElement(it) ? `${MARK}${at}${MARK}` : shown(it).replaceAll(MARK, ''),
  );
  const parts = marked
    .split(MARK)
    .map((part, at) => (at % 2 === 0 ? part : (nodes[Number(part)] as React.ReactNode)));
  return createElement(Fragment, null, ...parts);
}
