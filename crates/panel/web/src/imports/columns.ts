import type { components } from '../api/schema';
import { imports as words } from '../i18n/en/imports';
import type { Table } from './csv';

type CustomField = components['schemas']['CustomField'];

/** What a column becomes: as the API calls it, or `-` where it is passed over. */
export type Target = string;
export const PASSED_OVER: Target = '-';

/** By one of these a contact is known again. */
const IDENTIFIERS = ['external_id', 'email', 'phone'];

const OTHER_NAMES: Record<string, string[]> = {
  external_id: ['customer id', 'user id', 'customer number', 'customer no'],
  email: ['mail', 'email address', 'mail address'],
  phone: ['phone number', 'telephone', 'tel', 'mobile', 'mobile number', 'mobile phone', 'cell phone'],
  first_name: ['given name', 'forename'],
  last_name: ['family name', 'surname'],
  locale: ['language'],
  time_zone: ['zone'],
  avatar_url: ['avatar', 'picture', 'photo'],
  tags: ['tag', 'labels'],
};

/** What a column can become, with its name for people. */
export function targetsOf(
  fields: CustomField[],
): { group: string; items: { value: Target; label: string }[] }[] {
  const attributes = Object.entries(words.attributes).map(([value, label]) => ({ value, label }));
  const custom = fields.map(({ key, name }) => ({ value: `custom_fields.${key}`, label: name }));
  return [
    { group: words.nothing, items: [{ value: PASSED_OVER, label: words.passedOver }] },
    { group: words.attribute, items: attributes },
    ...(custom.length > 0 ? [{ group: words.customField, items: custom }] : []),
  ];
}

/** What the columns are by their names; what cannot be told is passed over. */
export function guessed(columns: string[], fields: CustomField[]): Target[] {
  const byName = new Map<string, Target>();
  const know = (name: string, target: Target) => byName.set(folded(name), byName.get(folded(name)) ?? target);
  for (const [target, label] of Object.entries(words.attributes)) {
    for (const name of [target, label, ...(OTHER_NAMES[target] ?? [])]) know(name, target);
  }
  for (const { key, name } of fields) {
    for (const it of [`custom_fields.${key}`, key, name]) know(it, `custom_fields.${key}`);
  }
  const taken = new Set<Target>();
  return columns.map((column) => {
    const target = byName.get(folded(column));
    if (target === undefined || taken.has(target)) return PASSED_OVER;
    taken.add(target);
    return target;
  });
}

/** What keeps the columns from being taken in: of the whole table, and of each column. */
export function faultsOf(targets: Target[]): { table?: string; columns: (string | undefined)[] } {
  const columns = targets.map((target, at) =>
    target !== PASSED_OVER && targets.some((it, other) => it === target && other !== at)
      ? words.chosenTwice
      : undefined,
  );
  return { columns, table: IDENTIFIERS.some((it) => targets.includes(it)) ? undefined : words.noIdentifier };
}

/** Those columns whose names do not say what they are, as the request has them. */
export function columnsOf({ columns }: Pick<Table, 'columns'>, targets: Target[]): string[] {
  return columns.flatMap((column, at) => (column === targets[at] ? [] : [`${column}:${targets[at]}`]));
}

/** A name without what people write it in different ways. */
function folded(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('e-mail', 'email')
    .replace(/[\s_\-.]+/g, ' ')
    .trim();
}
