import { texts } from '../i18n/texts';

const t = texts('contact');

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
    .map((it) => ({ name: t.find('names', it), before: inWords(previous[it]), after: inWords(object[it]) }))
    .filter((it): it is typeof it & { name: string } => it.name !== undefined);
}

/** A change in one line: "Plan: silver → gold". */
export function lineOf({ name, before, after }: ValueChange): string {
  return before === undefined ? name : `${name}: ${before} → ${after}`;
}

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('noValue');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  return Array.isArray(value) ? value.join(', ') || t('noValue') : String(value);
}
