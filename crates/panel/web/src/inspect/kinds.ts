/** Where the API keeps the objects of a kind, by the beginning of their ids. */
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

/** The path of an object in the API; `undefined` for ids of kinds that are not got by their id alone. */
export function pathOf(id: string): string | undefined {
  const collection = COLLECTIONS[id.split('_')[0] ?? ''];
  return collection && `/api/v1/${collection}/${encodeURIComponent(id)}`;
}

/** Whether there is a page for what an id names. */
export function isInspected(id: string): boolean {
  return pathOf(id) !== undefined;
}
