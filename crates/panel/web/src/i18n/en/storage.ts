/** The plan of a workspace, and the size of its stored text. */
export default {
  title: 'Plan and storage',
  description: 'The limits of your plan, how much of them you use, and how much text is stored.',
  sandbox: 'sandbox',
  limit: 'Requests per minute, all keys together',
  stored: 'Stored',
  storedSize: 'Stored {{size}}',
  measured: 'Only text counts, without the overhead of the database. Measured {{time}}.',
  notYet:
    'Only text counts, without the overhead of the database. The size is measured every five minutes. Before the first measurement, it contains only text that was stored since the server started.',
  noLimit: 'Your plan has no limit on stored text.',
  ofLimit: 'You use {{share}} of the {{limit}} that your plan allows.',
  levels: { near_limit: 'near the limit', full: 'full' },
  atLimit:
    'At the limit, requests that create or enlarge objects fail with 409. Delete what you don’t need, or ask an operator for a larger plan.',
  kind: 'Data',
  contents: 'Includes',
  percent: 'Percent',
  size: 'Size',
  objects: {
    events: 'Events',
    deliveries: 'Webhook deliveries',
    idempotency: 'Stored responses',
  },
  contentsOf: {
    contacts: 'attributes, custom fields and custom events, also of deleted contacts',
    messages: 'status history',
    events: 'events as the API and webhooks send them',
    deliveries: 'attempts',
    flows: 'versions and runs',
    idempotency: 'responses to requests with an idempotency key, for 24 hours',
  },
} as const;
