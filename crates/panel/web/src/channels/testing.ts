/** A channel, the types of channels and their routes for tests. */

export const AT = '2026-01-01T00:00:00.000Z';
export const CHANNEL = {
  id: 'chan_1',
  kind: 'http',
  name: 'Support chat',
  is_default: true,
  status: 'connected',
  capabilities: { types: ['text'], quick_replies: 3, inbound: true, receipts: true },
  config: { url: 'https://p.example/messages' },
  inbound_path: '/inbound/guess',
  secret_hint: 'abcd',
  last_error: null,
  connected_at: AT,
  created_at: AT,
  updated_at: AT,
  version: 1,
};
export const list = (data: unknown[]) => ({ data, next_cursor: null });
export const PATH = '/api/v1/channels';
export const URL_SCHEMA = {
  properties: { url: { type: 'string', format: 'uri', title: 'URL', maxLength: 2048 } },
  required: ['url'],
};
export const TYPES = [
  { kind: 'sandbox', title: 'Sandbox', config_schema: {}, secrets_schema: {}, fixed: [] },
  { kind: 'http', title: 'HTTP', config_schema: URL_SCHEMA, secrets_schema: {}, fixed: [] },
];
export const served = {
  'GET /api/v1/channel-types': () => list(TYPES),
  [`GET ${PATH}`]: (_: unknown, request: Request) => {
    const status = new URL(request.url).searchParams.get('status');
    const all = [CHANNEL, { ...CHANNEL, id: 'chan_2', name: 'SMS', status: 'disconnected' }];
    return list(all.filter((it) => !status || it.status === status));
  },
  [`GET ${PATH}/chan_1`]: () => Response.json(CHANNEL, { headers: { ETag: '"1-a"' } }),
  [`GET ${PATH}/chan_1/captured`]: () => list([]),
  [`GET ${PATH}/chan_1/unparsed`]: () => list([]),
};
