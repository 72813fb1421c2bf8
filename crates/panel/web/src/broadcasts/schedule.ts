import { date } from '../i18n/format';

/** The local time in a time zone, in the format of a `datetime-local` field. */
export function clockIn(zone: string, at: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(at));
  const of = (type: string) => parts.find((it) => it.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/**
 * The instant of a local time in a time zone. An ambiguous time is the first of the two. A time that is
 * skipped is read with the offset before the change.
 */
export function instantOf(zone: string, shown: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(shown)) return undefined;
  const meant = Date.parse(`${shown}:00Z`);
  if (Number.isNaN(meant)) return undefined;
  const offset = (at: number) => Date.parse(`${clockIn(zone, new Date(at).toISOString())}:00Z`) - floor(at);
  const [before, after] = [offset(meant - DAY), offset(meant + DAY)];
  const exact = [meant - before, meant - after].filter((at) => at + offset(at) === meant);
  const at = exact.length > 0 ? Math.min(...exact) : meant - before;
  return new Date(at).toISOString();
}

const DAY = 86_400_000;
const floor = (at: number) => Math.floor(at / 60_000) * 60_000;

/** Formats an instant in a time zone: "Tue 3 Mar 2026, 09:00". */
export function told(zone: string, at: string): string {
  return date(at, {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
}
