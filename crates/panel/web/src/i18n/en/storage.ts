import { pages } from './pages';

export const storage = {
  title: pages.storage,
  description: 'What the plan allows and how much of it is used, and how much text is stored.',
  plan: 'Plan',
  sandbox: 'sandbox',
  limit: 'Requests a minute, all keys together',
  stored: 'Stored',
  counted: 'Text alone, without what the database needs for itself.',
  measured: 'Added up',
  notYet:
    'It is added up every five minutes: before the first time only what was written since the start is in it.',
  noLimit: 'Your plan has no limit on stored text.',
  ofLimit: (share: string, limit: string) => `You use ${share} of the ${limit} that your plan allows.`,
  levels: { near_limit: 'near the limit', full: 'full' },
  atLimit:
    'At the limit, requests that create or enlarge objects fail with 409. Delete what you don’t need, or ask an operator for a larger plan.',
  kind: 'What',
  what: 'With',
  share: 'Share',
  percent: 'Of all',
  size: 'Size',
  kinds: {
    contacts: 'Contacts',
    messages: 'Messages',
    events: 'Events',
    deliveries: 'Webhook deliveries',
    flows: 'Flows',
    idempotency: 'Stored responses',
  },
  whats: {
    contacts: 'attributes, custom fields, custom events; of deleted ones, too',
    messages: 'their history',
    events: 'as the feed and webhooks show them',
    deliveries: 'their attempts',
    flows: 'versions and runs',
    idempotency: 'responses to requests with an idempotency key, for 24 hours',
  },
};
