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

/** The type of a custom field for these cells. It is text if no other type fits all of them. */
export function proposedType(samples: string[]): FieldType {
  const cells = samples.map((it) => it.trim()).filter(Boolean);
  if (cells.length === 0) return 'text';
  return TYPES.find(([, pattern]) => cells.every((it) => pattern.test(it)))?.[0] ?? 'text';
}
