import type { components } from '../api/schema';

export type Workspace = components['schemas']['Workspace'];
export type UpdateWorkspace = components['schemas']['UpdateWorkspace'];

/** What people change of a workspace. */
export type Draft = Pick<
  Workspace,
  'name' | 'time_zone' | 'default_country' | 'assign_on_reply' | 'plan' | 'opt_out_words'
>;
export type Field = keyof Draft;
export type Value = Draft[Field];

const FIELDS: Field[] = ['name', 'time_zone', 'default_country', 'assign_on_reply', 'plan', 'opt_out_words'];

export function draftOf(workspace: Draft): Draft {
  const { name, time_zone, default_country, assign_on_reply, plan, opt_out_words } = workspace;
  return { name, time_zone, default_country, assign_on_reply, plan, opt_out_words };
}

const isSame = (one: Value, other: Value) => JSON.stringify(one) === JSON.stringify(other);

/** What a draft changes: the body of the request that saves it. */
export function changes(base: Draft, draft: Draft): UpdateWorkspace {
  const meant = { ...draft, name: draft.name.trim() };
  return Object.fromEntries(
    FIELDS.filter((field) => !isSame(meant[field], base[field])).map((field) => [field, meant[field]]),
  );
}

/** A field that two people saw alike, and at least one of them changed. */
export interface Difference {
  field: Field;
  was: Value;
  theirs: Value;
  /** Absent where one did not change it: saving keeps what the other made of it. */
  mine?: Value;
}

/** What another person changed since one began, beside what one changed oneself. */
export function differences(base: Draft, draft: Draft, theirs: Draft): Difference[] {
  const mine = changes(base, draft);
  return FIELDS.filter((field) => !isSame(theirs[field], base[field])).map((field) => ({
    field,
    was: base[field],
    theirs: theirs[field],
    mine: mine[field],
  }));
}

/** A draft on what another made of it: one's own changes, and theirs where one made none. */
export function rebased(base: Draft, draft: Draft, theirs: Draft): Draft {
  return { ...draftOf(theirs), ...changes(base, draft) };
}
