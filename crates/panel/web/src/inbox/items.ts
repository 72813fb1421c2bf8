import type { InfiniteData } from '@tanstack/react-query';
import { type Message, merge } from '../sandbox/messages';

/** A page of a conversation, newest first, and where the one before it begins. */
export interface Page {
  data: Message[];
  next_cursor: string | null;
}
export type Pages = InfiniteData<Page, string | undefined>;

/**
 * What is known of a conversation, and its newest page as it is now. Where so much came meanwhile that
 * the two do not meet, what was known is let go: there would be a gap.
 */
export function withLatest(known: Pages | undefined, latest: Page): Pages {
  const before = known?.pages.flatMap((page) => page.data) ?? [];
  const meets =
    latest.next_cursor === null || latest.data.some((it) => before.some((old) => old.id === it.id));
  const [first, ...older] = known?.pages ?? [];
  if (!known || !first || !meets) return { pages: [latest], pageParams: [undefined] };
  const data = merge(first.data, latest.data).reverse();
  if (isSame(data, first.data)) return known;
  return { pages: [{ ...first, data }, ...older], pageParams: known.pageParams };
}

/** A conversation with one message in its newest form. */
export function withMessage(known: Pages | undefined, message: Message): Pages | undefined {
  const [first, ...older] = known?.pages ?? [];
  if (!known || !first) return known;
  return { ...known, pages: [{ ...first, data: merge(first.data, [message]).reverse() }, ...older] };
}

function isSame(now: Message[], before: Message[]): boolean {
  return (
    now.length === before.length &&
    now.every((it, at) => it.id === before[at]?.id && it.version === before[at]?.version)
  );
}

/** What stands in a thread: a day, a message, or a line that tells of one that was not sent. */
export type Item =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'message'; key: string; message: Message; last: boolean }
  | { kind: 'unsent'; key: string; message: Message };

/** Messages that stand together have one line of facts below the last of them. */
const TOGETHER = 120_000;

/** The items of a thread, oldest first. */
export function itemsOf(messages: Message[]): Item[] {
  const items: Item[] = [];
  messages.forEach((message, at) => {
    const before = messages[at - 1];
    if (!before || dayOf(before) !== dayOf(message)) {
      items.push({ kind: 'day', key: `day ${message.id}`, at: message.created_at });
    }
    if (message.status === 'suppressed') {
      items.push({ kind: 'unsent', key: message.id, message });
    } else {
      items.push({ kind: 'message', key: message.id, message, last: !goesOn(message, messages[at + 1]) });
    }
  });
  return items;
}

const dayOf = (it: Message) => new Date(it.created_at).toDateString();

/** Whether the next message belongs to the same breath of the same sender, and nothing is to be said between them. */
function goesOn(message: Message, next: Message | undefined): boolean {
  return (
    next !== undefined &&
    message.error === null &&
    next.status !== 'suppressed' &&
    next.private === message.private &&
    next.direction === message.direction &&
    next.status === message.status &&
    next.sender.type === message.sender.type &&
    next.sender.id === message.sender.id &&
    dayOf(next) === dayOf(message) &&
    Date.parse(next.created_at) - Date.parse(message.created_at) < TOGETHER
  );
}
