import { day, text } from '../app/search-params';
import { ACTIONS, type Action, type AuditFilters, KINDS, type Kind } from './actions';

export interface AuditSearch {
  type?: Kind;
  action?: Action;
  /** The object's ID, or the name of a secret. */
  object?: string;
  /** The ID of a user or API key, or `system`. */
  actor?: string;
  /** The first and the last day, both included, such as `2026-01-31`. */
  from?: string;
  to?: string;
  open?: string;
}

/** Reads the search parameters and ignores invalid ones. */
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

export function actionsOf(type: Kind | undefined): Action[] {
  const kinds = type === undefined ? KINDS : [type];
  return kinds.flatMap((kind) => ACTIONS[kind].map((verb) => `${kind}.${verb}` as Action));
}

/** Converts days into timestamps in the browser's time zone. The last day is included. */
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

export function isFiltered(search: AuditSearch): boolean {
  return Object.values(filtersOf(search)).some((it) => it !== undefined);
}
