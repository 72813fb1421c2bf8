import { absolute } from '../../components/time';
import { date } from '../../i18n/format';
import { texts } from '../../i18n/texts';
import { DAYS, type Window } from '../definition';

const t = texts('flow-editor');

/** The parts of an ISO 8601 duration, from weeks to seconds. */
export type Span = Record<'weeks' | 'days' | 'hours' | 'minutes' | 'seconds', number>;
const FORM = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Parses a duration. Returns `undefined` for months, fractions or invalid texts. */
export function readSpan(text: string): Span | undefined {
  const found = FORM.exec(text.trim().toUpperCase());
  if (!found || text.length < 3) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((it) => Number(it ?? 0));
  return { weeks, days, hours, minutes, seconds };
}

/** A duration in words: `1 day 12 hours`. */
export function spanInWords(text: string): string {
  const span = readSpan(text);
  if (!span) return text;
  const parts = (Object.keys(span) as (keyof Span)[])
    .filter((unit) => span[unit] > 0)
    .map((unit) => t(`phrases.units.${unit}`, { count: span[unit] }));
  return parts.join(' ') || t('phrases.units.seconds', { count: 0 });
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;

/** A time in words. Without a UTC offset, it is a local time of the contact. A template stays as it is. */
export function timeInWords(text: string): string {
  const found = INSTANT.exec(text.trim());
  if (!found || Number.isNaN(Date.parse(text.trim()))) return text;
  const hasOffset = found[1] !== undefined;
  return hasOffset ? absolute(text.trim()) : date(text.trim(), { dateStyle: 'medium', timeStyle: 'short' });
}

/** A window in words: `Mon–Fri 09:00–18:00`. */
export function windowInWords(window: Window): string {
  const hours = window.from || window.to ? `${window.from ?? '00:00'}–${window.to ?? '24:00'}` : undefined;
  return [daysInWords(window), hours].filter(Boolean).join(' ') || t('phrases.always');
}

function daysInWords({ days }: Window): string | undefined {
  if (!days || days.length === 0 || days.length === DAYS.length) return undefined;
  const places = days.map((day) => DAYS.indexOf(day)).toSorted((a, b) => a - b);
  const first = places[0] ?? 0;
  const last = places.at(-1) ?? 0;
  const name = (at: number) => t(`phrases.days.${DAYS[at] ?? 'mon'}`);
  const isRow = places.length > 2 && last - first === places.length - 1;
  return isRow ? `${name(first)}–${name(last)}` : places.map(name).join(', ');
}

export function firstLine(text: unknown): string {
  if (typeof text !== 'string') return '';
  return (
    text
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '') ?? ''
  );
}
