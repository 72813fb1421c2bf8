export type Field<Draft> = keyof Draft & string;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The changed fields of a draft, which are the body of the update. */
export function changesOf<Draft extends object>(base: Draft, draft: Draft): Partial<Draft> {
  const fields = Object.keys(draft) as Field<Draft>[];
  return Object.fromEntries(
    fields.filter((it) => !same(base[it], draft[it])).map((it) => [it, draft[it]]),
  ) as Partial<Draft>;
}

/** A field that another user changed since the draft began. */
export interface Difference<Draft> {
  field: Field<Draft>;
  was: unknown;
  theirs: unknown;
  /** Absent if the draft does not change the field. Saving then keeps the other user's value. */
  mine?: unknown;
}

/** The fields that another user changed since the draft began, with the draft's own changes. */
export function differencesOf<Draft extends object>(
  base: Draft,
  draft: Draft,
  theirs: Draft,
): Difference<Draft>[] {
  const mine = changesOf(base, draft);
  return (Object.keys(changesOf(base, theirs)) as Field<Draft>[]).map((field) => ({
    field,
    was: base[field],
    theirs: theirs[field],
    ...(field in mine ? { mine: mine[field] } : {}),
  }));
}

/** Formats a value in one line. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
