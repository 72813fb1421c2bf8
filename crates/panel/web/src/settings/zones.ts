import { date } from '../i18n/format';

/** The time zones that this browser supports, and the current one. UTC is first. */
export function zones(current: string): string[] {
  const known = Intl.supportedValuesOf('timeZone').filter((it) => it !== 'UTC');
  const first = current === 'UTC' || known.includes(current) ? ['UTC'] : ['UTC', current];
  return [...first, ...known];
}

const TIME: Intl.DateTimeFormatOptions = { weekday: 'short', hour: '2-digit', minute: '2-digit' };

/** The current time in a zone: "Mon 14:05". `undefined` if the browser does not support the zone. */
export function timeIn(zone: string, now: Date): string | undefined {
  try {
    return date(now, { ...TIME, timeZone: zone });
  } catch {
    return undefined;
  }
}

/** Whether a zone matches the typed text: "new york" finds America/New_York. */
export function isMeant(zone: string, typed: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_/]/g, ' ');
  const name = plain(zone);
  return plain(typed)
    .split(/\s+/)
    .every((word) => name.includes(word));
}
