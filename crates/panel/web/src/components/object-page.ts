/** The pages of object types, by the prefix of the ID. */
const PAGES: Record<string, string> = {
  contact: '/contacts',
  flow: '/flows',
  seq: '/sequences',
  hook: '/webhooks',
  bcast: '/broadcasts',
};

/** The path of an object's page: the page of its type, otherwise the page for any object. */
export function pageOf(id: string): string {
  return `${PAGES[id.split('_')[0] ?? ''] ?? '/objects'}/${encodeURIComponent(id)}`;
}
