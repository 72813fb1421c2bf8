import type { FieldType } from '../catalog/field-draft';

/** Patterns of cells by type. The first type with a pattern that matches all cells is proposed. */
const TYPES: [FieldType, RegExp][] = [
  ['boolean', /^(yes|no|ja|nein|true|false|wahr|falsch|oui|non|sí|si|sim|não|x)$/i],
  ['datetime', /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[T ]+\d{1,2}:\d{2}/],
  ['date', /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4}$/],
  ['number', /^-?(0|[1-9]\d{0,2}([.,' \u00a0\u202f]\d{3})+|[1-9]\d*)([.,]\d+)?$/],
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['url', /^https?:\/\/\S+$/i],
  ['phone', /^(\+|00)[\d\s()/-]{7,}$/],
];

/** Headings of digits that are no quantity: postal codes, house numbers and IDs. */
const DIGITS =
  /plz|postleitzahl|zip|post(al)? ?code|(code|c[oó]digo) ?postal|\bcep\b|(nummer|number)$|\b(nr|no|id)\b/i;

/**
 * The type of a custom field for a column. It is text if no other type fits all samples, and for digits that
 * are no quantity: a number loses the zero of `01067`.
 */
export function proposedType(samples: string[], heading = ''): FieldType {
  const cells = samples.map((it) => it.trim()).filter(Boolean);
  if (cells.length === 0) return 'text';
  const type = TYPES.find(([, pattern]) => cells.every((it) => pattern.test(it)))?.[0] ?? 'text';
  return type === 'number' && DIGITS.test(heading) ? 'text' : type;
}
