import { date } from '../i18n/format';

/** All time zones that this browser knows, UTC first, with the one that is in use. */
export function zones(current: string): string[] {
  const known = Intl.supportedValuesOf('timeZone').filter((it) => it !== 'UTC');
  const first = current === 'UTC' || known.includes(current) ? ['UTC'] : ['UTC', current];
  return [...first, ...known];
}

const TIME: Intl.DateTimeFormatOptions = { weekday: 'short', hour: '2-digit', minute: '2-digit' };

/** The time of day in a zone: "Mon 14:05"; nothing where the browser does not know the zone. */
export function timeIn(zone: string, now: Date): string | undefined {
  try {
    return date(now, { ...TIME, timeZone: zone });
  } catch {
    return undefined;
  }
}

/** Whether a zone is meant by what was typed: "new york" finds America/New_York. */
export function isMeant(zone: string, typed: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_/]/g, ' ');
  const name = plain(zone);
  return plain(typed)
    .split(/\s+/)
    .every((word) => name.includes(word));
}
