import { texts } from '../i18n/texts';

const t = texts('contact');
const CUSTOM = 'custom_fields.';

type Values = Record<string, unknown>;
type NameOf = (id: string) => string | undefined;

/** A change of an attribute or custom field, with its values as text. */
export interface ValueChange {
  name: string;
  /** Absent if the event contains no values. */
  before?: string;
  after?: string;
}

const record = (it: unknown): Values => (typeof it === 'object' && it !== null ? (it as Values) : {});

/** The changes in the summary of a contact event, if the event contains them. */
export function changesOf(type: string, summary: Values, names: NameOf): ValueChange[] {
  const changes = Array.isArray(summary.changes) ? summary.changes.map(record) : [];
  const field = record(record(summary.data).field);
  if (type === 'contact.field_changed' && changes.length === 0) {
    const name = names(String(field.id));
    return name === undefined ? [] : [{ name }];
  }
  return changes.map(({ field: path, previous, value }) => ({
    name: nameOf(String(path), names(String(field.id))),
    before: inWords(previous),
    after: inWords(value),
  }));
}

/** The name of an attribute or custom field. A deleted custom field is shown by its key. */
function nameOf(path: string, fieldName: string | undefined): string {
  const key = path.startsWith(CUSTOM) ? path.slice(CUSTOM.length) : undefined;
  return key === undefined ? (t.find('attributeNames', path) ?? path) : (fieldName ?? key);
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
