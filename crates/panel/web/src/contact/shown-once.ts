import type { TimelineEntry } from './api';

/** Events about an object that has an entry of its own. The entry shows the same fact with more details. */
const OF_ENTRIES = /^(message\.\w+|sequence\.enrolled)$/;

/**
 * The entries without the events whose message or enrollment is also in the list. An event stays if its message is not
 * loaded, is deleted, or is left out by the filter.
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
