import { date } from '../i18n/format';
import { texts } from '../i18n/texts';

const common = texts('common');

type Part = 'year' | 'month' | 'day';

/** The parts of a date in the order of the language, and the separator. */
function pattern(): { order: Part[]; between: string } {
  // The parts of 31 January 2026 are all different.
  const [year, month, day] = ['2026', '01', '31'];
  const shown = date(Date.UTC(2026, 0, 31), {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: 'UTC',
  });
  const parts: [Part, string][] = [
    ['year', year],
    ['month', month],
    ['day', day],
  ];
  const order = parts.toSorted(([, a], [, b]) => shown.indexOf(a) - shown.indexOf(b)).map(([part]) => part);
  return { order, between: /\D+/.exec(shown)?.[0] ?? '-' };
}

/**
 * The format of a date, optionally with a time, in the language of the page: "DD/MM/YYYY", in German
 * "TT.MM.JJJJ".
 */
export function datePattern(timed: boolean): string {
  const { order, between } = pattern();
  const day = order.map((part) => common(`dateParts.${part}`)).join(between);
  return timed ? `${day} ${common('dateParts.time')}` : day;
}

/** Formats a date (`2026-01-31`) or a date with a time (`2026-01-31T09:30`) in the language of the page. */
export function dateText(value: string): string {
  const found = /^(\d{4,})-(\d\d)-(\d\d)(?:T(\d\d:\d\d))?/.exec(value);
  if (!found) return value;
  const [, year = '', month = '', day = '', time] = found;
  const { order, between } = pattern();
  const shown = order.map((part) => ({ year, month, day })[part]).join(between);
  return time ? `${shown} ${time}` : shown;
}

/**
 * Parses a date in the order of the language or of ISO 8601. Returns `undefined` if it is incomplete or
 * invalid.
 */
export function readDate(text: string, timed: boolean): string | undefined {
  const numbers = text.trim().match(/\d+/g) ?? [];
  const isIso = /^\s*\d{4}-/.test(text);
  const order: Part[] = isIso ? ['year', 'month', 'day'] : pattern().order;
  if (numbers.length !== (timed ? 5 : 3)) return undefined;
  const [hour = '0', minute = ''] = numbers.slice(3);
  const of = (part: Part) => numbers[order.indexOf(part)] ?? '';
  // Two digits mean a year of this century.
  const year = of('year').length === 2 ? `20${of('year')}` : of('year');
  if (year.length !== 4 || (timed && minute.length !== 2)) return undefined;
  const day = `${year}-${of('month').padStart(2, '0')}-${of('day').padStart(2, '0')}`;
  if (!isDay(day) || Number(hour) > 23 || Number(minute) > 59) return undefined;
  return timed ? `${day}T${hour.padStart(2, '0')}:${minute}` : day;
}

/** Whether the day exists in the calendar. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
