import type { EventFeed, FeedEvent } from './api';

/** Asks the feed for what stands behind a position, of some kinds or of all. */
export type ReadKinds = (after: number, limit: number, types: string[]) => Promise<EventFeed>;

/** A kind that hardly ever happens: a page of it reaches to the end of the feed. */
const RARE = 'channel.disconnected';
const LIMIT = 100;
/** Windows for kinds begin this wide, and grow while little is found. */
const WIDE = 1_000;
const GROWTH = 4;

/** The last position of the feed. It tells that only to who reads on, so what is left out is read. */
export async function headOf(read: ReadKinds): Promise<number> {
  let after = 0;
  for (;;) {
    const page = await read(after, LIMIT, [RARE]);
    if (!page.has_more) return page.next_after;
    after = page.next_after;
  }
}

/** Events, newest first, and up to which position the next ones stand; 0 where there are none. */
export interface Backward {
  events: FeedEvent[];
  before: number;
}

/**
 * The newest events up to a position. The feed is read forwards, window by window from behind: a
 * window with more than a page in it is made smaller, one with little in it is followed by a wider one.
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
