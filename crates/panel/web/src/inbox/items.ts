import type { InfiniteData } from '@tanstack/react-query';
import { type Message, merge } from '../sandbox/messages';
import type { Resolve } from './resolves';

/** A page of messages, newest first, with the cursor of the page before it. */
export interface Page {
  data: Message[];
  next_cursor: string | null;
}
export type Pages = InfiniteData<Page, string | undefined>;

/**
 * Merges the current newest page into the loaded pages. If they do not overlap, only the newest page stays,
 * because messages would be missing between them.
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

/** Adds or updates a message in the newest page. */
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

/**
 * An item of a conversation: a day, the subject of the mails below it, a message, or a line about a message that
 * was not sent or about a resolve.
 */
export type Item =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'subject'; key: string; subject: string | null }
  | { kind: 'message'; key: string; message: Message; last: boolean }
  | { kind: 'unsent'; key: string; message: Message }
  | { kind: 'resolved'; key: string; resolve: Resolve };

/**
 * The milliseconds within which messages of one sender form a group. The last message of a group shows the
 * time and status.
 */
const TOGETHER = 120_000;

type Entry = { at: string } & ({ message: Message } | { message?: undefined; resolve: Resolve });

/** The items of a thread, oldest first. Resolves before the first loaded message are left out. */
export function itemsOf(messages: Message[], resolves: Resolve[] = []): Item[] {
  const [first] = messages;
  const shown = first ? resolves.filter((it) => Date.parse(it.at) >= Date.parse(first.created_at)) : [];
  const entries: Entry[] = [
    ...messages.map((message) => ({ at: message.created_at, message })),
    ...shown.map((resolve) => ({ at: resolve.at, resolve })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const starts = threadStarts(messages);
  return entries.flatMap((entry, index): Item[] => {
    const before = entries[index - 1];
    const { id } = entry.message ?? entry.resolve;
    const startsDay = !before || dayOf(before.at) !== dayOf(entry.at);
    const day: Item[] = startsDay ? [{ kind: 'day', key: `day ${id}`, at: entry.at }] : [];
    const subject = starts.get(id);
    const heading: Item[] = subject === undefined ? [] : [{ kind: 'subject', key: `subject ${id}`, subject }];
    return [...day, ...heading, itemOf(entry, entries[index + 1]?.message)];
  });
}

/**
 * The subjects of the messages that belong to another thread than the one before them. Empty if all messages belong
 * to one thread. Messages without a thread, such as notes, are part of the conversation only.
 */
function threadStarts(messages: Message[]): Map<string, string | null> {
  const mails = messages.flatMap(({ id, thread }) => (thread ? [{ id, thread }] : []));
  const starts = mails.filter(({ thread }, index) => thread.id !== mails[index - 1]?.thread.id);
  return new Map(starts.length > 1 ? starts.map(({ id, thread }) => [id, thread.subject]) : []);
}

function itemOf(entry: Entry, next: Message | undefined): Item {
  const { message } = entry;
  if (!message) return { kind: 'resolved', key: entry.resolve.id, resolve: entry.resolve };
  if (message.status === 'suppressed') return { kind: 'unsent', key: message.id, message };
  return { kind: 'message', key: message.id, message, last: !goesOn(message, next) };
}

const dayOf = (at: string) => new Date(at).toDateString();

/** Whether the next message belongs to the same group. */
function goesOn(message: Message, next: Message | undefined): boolean {
  return (
    next !== undefined &&
    message.error === null &&
    next.status !== 'suppressed' &&
    next.private === message.private &&
    next.direction === message.direction &&
    next.thread?.id === message.thread?.id &&
    next.status === message.status &&
    next.sender.type === message.sender.type &&
    next.sender.id === message.sender.id &&
    dayOf(next.created_at) === dayOf(message.created_at) &&
    Date.parse(next.created_at) - Date.parse(message.created_at) < TOGETHER
  );
}
