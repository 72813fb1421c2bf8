/** The fields of a draft. */
export type Field<Draft> = keyof Draft & string;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What a draft changes: the body of the request that saves it. */
export function changesOf<Draft extends object>(base: Draft, draft: Draft): Partial<Draft> {
  const fields = Object.keys(draft) as Field<Draft>[];
  return Object.fromEntries(
    fields.filter((it) => !same(base[it], draft[it])).map((it) => [it, draft[it]]),
  ) as Partial<Draft>;
}

/** A field that another person changed since one began. */
export interface Difference<Draft> {
  field: Field<Draft>;
  was: unknown;
  theirs: unknown;
  /** Absent where one did not change it: saving keeps what the other made of it. */
  mine?: unknown;
}

/** What another person changed since one began, beside what one changed oneself. */
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

/** A value in a line. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
