import type { Kind } from './grammar';

/** Returns the type of a field by its name. */
export type Kinds = (field: string) => Kind;

/** Whether a field is untyped: a variable of a flow or a member of an event. */
export const isUntyped = (field: string) => /^(vars|event)\./.test(field);

/** The values of a comparison as texts, one for each item of a list. */
export function untyped(value: unknown, field: string): string[] {
  if (value === undefined || value === null) return [];
  const text = (it: unknown) => {
    if (typeof it !== 'string') return JSON.stringify(it);
    // Quote a text that would be parsed as a number or boolean.
    return isUntyped(field) && unquoted(it) !== it ? JSON.stringify(it) : it;
  };
  return Array.isArray(value) ? value.map(text) : [text(value)];
}

/**
 * Converts a text to the type of the field. A text that does not fit stays a text, and the API rejects it.
 */
export function typed(value: string, kind: Kind): unknown {
  if (kind === 'any') return unquoted(value.trim());
  if (kind !== 'number' && kind !== 'boolean') return value;
  const meant = unquoted(value.trim());
  return typeof meant === kind ? meant : value;
}

/** Parses numbers, booleans and quoted texts. Any other text is returned unchanged. */
function unquoted(value: string): unknown {
  if (!/^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|"(.|\n)*")$/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The local time of an instant in the format of a `datetime-local` field. Empty if it is invalid. */
export function localTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The instant of a local time. Empty if it is invalid. */
export function instantOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

export const UNITS = ['minutes', 'hours', 'days', 'weeks'] as const;
export type Unit = (typeof UNITS)[number];

/** The number and unit of a duration. `undefined` if it has several units. */
export function durationParts(iso: string): { count: string; unit: Unit } | undefined {
  if (iso === '') return { count: '', unit: 'days' };
  const found = /^P(?:T(\d+)([MH])|(\d+)([DW]))$/.exec(iso);
  if (!found) return undefined;
  const [, small, time, large, days] = found;
  const unit = time === 'M' ? 'minutes' : time === 'H' ? 'hours' : days === 'W' ? 'weeks' : 'days';
  return { count: small ?? large ?? '', unit };
}

/** The ISO 8601 duration. Empty without a number. */
export function durationOf(count: string, unit: Unit): string {
  const digits = count.replaceAll(/\D/g, '');
  if (digits === '') return '';
  return { minutes: `PT${digits}M`, hours: `PT${digits}H`, days: `P${digits}D`, weeks: `P${digits}W` }[unit];
}
