/** The API collections of objects, by the prefix of the ID. */
const COLLECTIONS: Record<string, string> = {
  contact: 'contacts',
  tag: 'tags',
  field: 'custom-fields',
  botfield: 'bot-fields',
  conv: 'conversations',
  flow: 'flows',
  run: 'flow-runs',
  seq: 'sequences',
  chan: 'channels',
  hook: 'webhooks',
  seg: 'segments',
  bcast: 'broadcasts',
};

/** The API path of an object. `undefined` if objects of its type have no path by ID alone. */
export function pathOf(id: string): string | undefined {
  const collection = COLLECTIONS[id.split('_')[0] ?? ''];
  return collection && `/api/v1/${collection}/${encodeURIComponent(id)}`;
}

/** Whether an object with this ID can be shown. */
export function isInspected(id: string): boolean {
  return pathOf(id) !== undefined;
}
