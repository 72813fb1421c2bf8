import { contact as words } from '../i18n/en/contact';

type Values = Record<string, unknown>;
type NameOf = (id: string) => string | undefined;

/** A change of a field or an attribute, with its values as text. */
export interface ValueChange {
  name: string;
  /** Absent if the event contains no values. */
  before?: string;
  after?: string;
}

const record = (it: unknown): Values => (typeof it === 'object' && it !== null ? (it as Values) : {});

/** The changes in the data of an event about a contact, as far as the event contains them. */
export function changesOf(type: string, data: Values, names: NameOf): ValueChange[] {
  if (type === 'contact.field_changed') {
    const { id, name, key } = record(data.field);
    const label = names(String(id)) ?? name ?? key;
    const hasValues = 'value' in data || 'previous' in data;
    const values = hasValues ? { before: inWords(data.previous), after: inWords(data.value) } : {};
    return typeof label === 'string' ? [{ name: label, ...values }] : [];
  }
  if (type !== 'contact.updated') return [];
  const [previous, object] = [record(data.previous), record(data.object)];
  // The full name follows from the first and the last name.
  return Object.keys(previous)
    .filter((it) => it in words.names)
    .map((it) => ({
      name: words.names[it as keyof typeof words.names],
      before: inWords(previous[it]),
      after: inWords(object[it]),
    }));
}

/** A change in one line: "Plan: silver → gold". */
export function lineOf({ name, before, after }: ValueChange): string {
  return before === undefined ? name : `${name}: ${before} → ${after}`;
}

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return words.noValue;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return Array.isArray(value) ? value.join(', ') || words.noValue : String(value);
}
