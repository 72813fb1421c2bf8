import { language, locale } from './language';

/** Formatters by kind, locale and options: creating one takes long enough to be noticed in a long table. */
const formatters = new Map<string, unknown>();

function kept<F>(kind: string, options: object | undefined, create: (of: string) => F, of = locale()): F {
  const key = `${kind} ${of} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known as F;
  const made = create(of);
  formatters.set(key, made);
  return made;
}

type Instant = string | number | Date;
const dateOf = (at: Instant) => (at instanceof Date ? at : new Date(at));

/** A number: "12,345", in German "12.345". */
export function number(value: number, options?: Intl.NumberFormatOptions): string {
  // British English would write 1.3m instead of 1.3M.
  return kept('number', options, (it) => new Intl.NumberFormat(it, options), language()).format(value);
}

/** A number in few characters: "12K", in German "12.000". */
export function compact(value: number, options?: Intl.NumberFormatOptions): string {
  return number(value, { notation: 'compact', ...options });
}

/** A date or time with the parts that the options name. */
export function date(at: Instant, options: Intl.DateTimeFormatOptions): string {
  return kept('date', options, (it) => new Intl.DateTimeFormat(it, options)).format(dateOf(at));
}

/** The time of day to the minute: "14:05". */
export function clockTime(at: Instant): string {
  return date(at, { hour: '2-digit', minute: '2-digit' });
}

/** A list in a sentence: "a, b and c". */
export function list(items: string[], type: Intl.ListFormatType = 'conjunction'): string {
  return kept('list', { type }, (it) => new Intl.ListFormat(it, { type })).format(items);
}

/** A relative time: "2 minutes ago", "in 3 days", "yesterday". */
export function relativeTime(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  return kept('relative', undefined, (it) => new Intl.RelativeTimeFormat(it, { numeric: 'auto' })).format(
    value,
    unit,
  );
}

/** Compares two names for a sorted list. */
export function compareNames(a: string, b: string): number {
  return kept('names', undefined, (it) => new Intl.Collator(it)).compare(a, b);
}

/** The name of a language by its tag (BCP 47): "British English", in German "Englisch (Vereinigtes Königreich)". */
export function languageName(tag: string): string {
  const names = kept(
    'language',
    undefined,
    (it) => new Intl.DisplayNames(it, { type: 'language' }),
    language(),
  );
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The name of a country by its code (ISO 3166-1 alpha-2): "Germany", in German "Deutschland". */
export function regionName(code: string): string {
  const names = kept('region', undefined, (it) => new Intl.DisplayNames(it, { type: 'region' }), language());
  return names.of(code) ?? code;
}
