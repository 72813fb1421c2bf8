import type { EventFeed, FeedEvent } from './api';

/** Reads events after a position, optionally of some types. */
export type ReadKinds = (after: number, limit: number, types: string[]) => Promise<EventFeed>;

/** A rare type: a page with only this type usually reaches the end of the feed. */
const RARE = 'channel.disconnected';
const LIMIT = 100;
/** The first width of a window for filtered types. It grows while few events are found. */
const WIDE = 1_000;
const GROWTH = 4;

/**
 * Returns the last position of the feed. Only the last page contains it, so pages of a rare type are read.
 */
export async function headOf(read: ReadKinds): Promise<number> {
  let after = 0;
  for (;;) {
    const page = await read(after, LIMIT, [RARE]);
    if (!page.has_more) return page.next_after;
    after = page.next_after;
  }
}

/** Events, newest first, and the position before which older ones are. 0 if there are none. */
export interface Backward {
  events: FeedEvent[];
  before: number;
}

/**
 * Reads the newest events up to a position. The API reads forwards, so the feed is read in windows from the
 * end. A window with more than a page is made smaller, and one with few events is followed by a wider one.
 */
export async function readBackwards(
  read: ReadKinds,
  from: number,
  types: string[],
  wanted: number,
): Promise<Backward> {
  const events: FeedEvent[] = [];
  let before = from;
  let width = types.length > 0 ? WIDE : wanted;
  while (before > 0 && events.length < wanted) {
    const low = Math.max(0, before - width);
    const page = await read(low, Math.min(LIMIT, before - low), types);
    const found = page.data.filter((it) => it.position <= before);
    const last = page.data.at(-1);
    if (page.data.length === LIMIT && last && last.position < before && width > LIMIT) {
      width = Math.max(LIMIT, Math.floor(width / GROWTH));
      continue;
    }
    events.push(...found.reverse());
    before = low;
    width *= GROWTH;
  }
  return { events, before };
}
