import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

/** Changes within this time, in milliseconds, are read together. */
const TOGETHER = 250;

interface Turn {
  timer?: ReturnType<typeof setTimeout>;
  /** When the queries were read last. */
  last?: number;
}

const turns = new WeakMap<QueryClient, Map<string, Turn>>();

interface Pace {
  /** The least number of milliseconds between two reads. */
  apart?: number;
  /** The milliseconds before the first read. */
  wait?: number;
}

/**
 * Reads queries again soon, however many changes ask for it: once for all changes within a quarter of a second, or
 * within the given times. Queries that no page shows are only marked as stale.
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
