import type { TimelineEntry } from './api';

/** Events about an object with a separate entry. The entry shows the same fact with more details. */
const OF_ENTRIES = /^(message\.\w+|sequence\.enrolled)$/;

/**
 * Removes the events of messages and enrollments that are also in the list. An event stays if its message is not loaded,
 * is deleted, or does not match the filter.
 */
export function shownOnce(entries: TimelineEntry[]): TimelineEntry[] {
  const ids = new Set(entries.map(({ id }) => id));
  return entries.filter(({ kind, summary }) => {
    if (kind !== 'event') return true;
    const { type, data } = summary as { type?: unknown; data?: { object?: { id?: unknown } } };
    const about = data?.object?.id;
    return !OF_ENTRIES.test(String(type)) || typeof about !== 'string' || !ids.has(about);
  });
}
