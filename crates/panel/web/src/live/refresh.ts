import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

/** The milliseconds within which changes are collected for one refresh. */
const TOGETHER = 250;

interface Turn {
  timer?: ReturnType<typeof setTimeout>;
  /** The time of the last refresh. */
  last?: number;
}

const turns = new WeakMap<QueryClient, Map<string, Turn>>();

interface Pace {
  /** The minimum number of milliseconds between two refreshes. */
  apart?: number;
  /** The milliseconds before the first refresh. */
  wait?: number;
}

/**
 * Refreshes queries with a delay. All calls within a quarter of a second, or within the given times, cause
 * one refresh. Queries that no component uses are only marked as stale.
 */
export function refreshSoon(
  client: QueryClient,
  queryKey: QueryKey,
  { apart = TOGETHER, wait = TOGETHER }: Pace = {},
): void {
  const known = turns.get(client) ?? new Map<string, Turn>();
  turns.set(client, known);
  const name = hashKey(queryKey);
  const turn = known.get(name) ?? {};
  known.set(name, turn);
  if (turn.timer !== undefined) return;
  const rest = turn.last === undefined ? 0 : turn.last + apart - Date.now();
  turn.timer = setTimeout(
    () => {
      turn.timer = undefined;
      turn.last = Date.now();
      void client.invalidateQueries({ queryKey });
    },
    Math.max(wait, rest),
  );
}
