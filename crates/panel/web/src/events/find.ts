import type { EventFeed, FeedEvent } from './api';

/** Asks the feed for what stands behind a position. */
export type Read = (after: number, limit: number) => Promise<EventFeed>;

/** How far an event's own time and its place may be apart, in milliseconds. */
const MARGIN = 60_000;
/** How many pages are looked through around its place. */
const PAGES = 20;

/**
 * Finds an event by its id and about when it happened. The feed knows positions alone, and they agree
 * with time up to a little: its place is found by halves, in about twice as many steps as the number
 * of events has binary digits.
 */
export async function findEvent(
  read: Read,
  wanted: { id: string; at: string },
): Promise<FeedEvent | undefined> {
  const from = Date.parse(wanted.at) - MARGIN;
  const isBehind = async (after: number) => {
    const [event] = (await read(after, 1)).data;
    return event === undefined || Date.parse(event.timestamp) >= from;
  };
  let low = 0;
  let step = 64;
  while (!(await isBehind(low + step))) {
    low += step;
    step *= 2;
  }
  let high = low + step;
  while (high - low > 32) {
    const middle = Math.floor((low + high) / 2);
    if (await isBehind(middle)) high = middle;
    else low = middle;
  }
  let after = low;
  for (let page = 0; page < PAGES; page += 1) {
    const found = await read(after, 100);
    const event = found.data.find((it) => it.id === wanted.id);
    const last = found.data.at(-1);
    if (event || !last || Date.parse(last.timestamp) > from + 2 * MARGIN) return event;
    after = found.next_after;
  }
  return undefined;
}
