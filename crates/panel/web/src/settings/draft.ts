import type { components } from '../api/schema';

export type Workspace = components['schemas']['Workspace'];
export type UpdateWorkspace = components['schemas']['UpdateWorkspace'];

/** What people change of a workspace. */
export type Draft = Pick<Workspace, 'name' | 'time_zone' | 'plan' | 'opt_out_words'>;
export type Field = keyof Draft;

const FIELDS: Field[] = ['name', 'time_zone', 'plan', 'opt_out_words'];

export function draftOf({ name, time_zone, plan, opt_out_words }: Draft): Draft {
  return { name, time_zone, plan, opt_out_words };
}

/** A value as one line of text: what is shown of it, and by what two values are compared. */
function lineOf(value: Draft[Field]): string {
  return typeof value === 'string' ? value : value.join(', ');
}

/** What a draft changes: the body of the request that saves it. */
export function changes(base: Draft, draft: Draft): UpdateWorkspace {
  const meant = { ...draft, name: draft.name.trim() };
  return Object.fromEntries(
    FIELDS.filter((field) => lineOf(meant[field]) !== lineOf(base[field])).map((field) => [
      field,
      meant[field],
    ]),
  );
}

/** A field that two people saw alike, and at least one of them changed. */
export interface Difference {
  field: Field;
  was: string;
  theirs: string;
  /** Absent where one did not change it: saving keeps what the other made of it. */
  mine?: string;
}

/** What another person changed since one began, beside what one changed oneself. */
export function differences(base: Draft, draft: Draft, theirs: Draft): Difference[] {
  const mine = changes(base, draft);
  return FIELDS.filter((field) => lineOf(theirs[field]) !== lineOf(base[field])).map((field) => {
    const own = mine[field];
    return {
      field,
      was: lineOf(base[field]),
      theirs: lineOf(theirs[field]),
      mine: own === undefined ? undefined : lineOf(own),
    };
  });
}

/** A draft on what another made of it: one's own changes, and theirs where one made none. */
export function rebased(base: Draft, draft: Draft, theirs: Draft): Draft {
  return { ...draftOf(theirs), ...changes(base, draft) };
}
