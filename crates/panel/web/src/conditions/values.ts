import type { Kind } from './grammar';

/** The type of a field by its name. */
export type Kinds = (field: string) => Kind;

/** Whether the values of a field have no type of their own: variables of a flow, and what an event tells. */
export const isUntyped = (field: string) => /^(vars|event)\./.test(field);

/** The value of a comparison as texts: of a list each by itself. */
export function untyped(value: unknown, field: string): string[] {
  if (value === undefined || value === null) return [];
  const text = (it: unknown) => {
    if (typeof it !== 'string') return JSON.stringify(it);
    // A text that would read as a number or a truth value stands in quotes.
    return isUntyped(field) && unquoted(it) !== it ? JSON.stringify(it) : it;
  };
  return Array.isArray(value) ? value.map(text) : [text(value)];
}

/** A text as the type wants it. What is no value of the type stays a text, and the API says so. */
export function typed(value: string, kind: Kind): unknown {
  if (kind === 'any') return unquoted(value.trim());
  if (kind !== 'number' && kind !== 'boolean') return value;
  const meant = unquoted(value.trim());
  return typeof meant === kind ? meant : value;
}

/** Numbers, truth values and texts in quotes for what they are; any other text as it stands. */
function unquoted(value: string): unknown {
  if (!/^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|"(.|\n)*")$/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** An instant as a field for local times has it; empty where it is none. */
export function localTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The instant that a local time means. */
export function instantOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

export const UNITS = ['minutes', 'hours', 'days', 'weeks'] as const;
export type Unit = (typeof UNITS)[number];

/** A plain duration in its unit; `undefined` where it has several parts. */
export function durationParts(iso: string): { count: string; unit: Unit } | undefined {
  if (iso === '') return { count: '', unit: 'days' };
  const found = /^P(?:T(\d+)([MH])|(\d+)([DW]))$/.exec(iso);
  if (!found) return undefined;
  const [, small, time, large, days] = found;
  const unit = time === 'M' ? 'minutes' : time === 'H' ? 'hours' : days === 'W' ? 'weeks' : 'days';
  return { count: small ?? large ?? '', unit };
}

/** The ISO 8601 duration; empty without a number. */
export function durationOf(count: string, unit: Unit): string {
  const digits = count.replaceAll(/\D/g, '');
  if (digits === '') return '';
  return { minutes: `PT${digits}M`, hours: `PT${digits}H`, days: `P${digits}D`, weeks: `P${digits}W` }[unit];
}
