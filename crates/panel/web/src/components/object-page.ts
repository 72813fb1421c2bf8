/** Where the objects of a kind have pages of their own, by the beginning of their ids. */
const PAGES: Record<string, string> = {
  contact: '/contacts',
  flow: '/flows',
  seq: '/sequences',
  hook: '/webhooks',
  bcast: '/broadcasts',
};

/** The page of what an id names: its own, else the one that shows any object. */
export function pageOf(id: string): string {
  return `${PAGES[id.split('_')[0] ?? ''] ?? '/objects'}/${encodeURIComponent(id)}`;
}
