import { ACTIONS, type Action, type AuditFilters, KINDS, type Kind } from './actions';

/** What the address of the audit log says. */
export interface AuditSearch {
  type?: Kind;
  action?: Action;
  /** The object's id; a secret's name. */
  object?: string;
  /** A person's or key's id, or `system`. */
  actor?: string;
  /** Days, as `2026-01-31`, both of them included. */
  from?: string;
  to?: string;
  /** The entry that is open. */
  open?: string;
}

const text = (it: unknown) => (typeof it === 'string' && it !== '' ? it : undefined);
const day = (it: unknown) =>
  typeof it === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(it) && !Number.isNaN(Date.parse(it)) ? it : undefined;

/** Reads an address; what it does not know is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return {
    type: KINDS.find((it) => it === search.type),
    action: actionsOf(undefined).find((it) => it === search.action),
    object: text(search.object),
    actor: text(search.actor),
    from: day(search.from),
    to: day(search.to),
    open: text(search.open),
  };
}

/** All that can be done, or what can be done to one kind of object. */
export function actionsOf(type: Kind | undefined): Action[] {
  const kinds = type === undefined ? KINDS : [type];
  return kinds.flatMap((kind) => ACTIONS[kind].map((verb) => `${kind}.${verb}` as Action));
}

/** Days become instants, by the clock of who looks: the last one is over at its end. */
export function filtersOf({ type, action, object, actor, from, to }: AuditSearch): AuditFilters {
  return {
    object_type: type,
    action,
    object_id: object,
    actor,
    from: from && midnight(from, 0),
    to: to && midnight(to, 1),
  };
}

function midnight(of: string, later: number): string {
  const [year = 0, month = 1, date = 1] = of.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** Whether something is filtered by. */
export function isFiltered(search: AuditSearch): boolean {
  return Object.values(filtersOf(search)).some((it) => it !== undefined);
}
