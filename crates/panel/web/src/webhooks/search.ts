import { oneOf, text } from '../app/search-params';
import { SPANS, type Span } from './range';

/** The search parameters of the list. */
export interface ListSearch {
  create?: boolean;
  q?: string;
  state?: 'active' | 'paused' | 'disabled';
}

const STATES = ['active', 'paused', 'disabled'] as const;
const STATUSES = ['pending', 'succeeded', 'failed'] as const;
const TABS = ['settings', 'stats', 'verify'] as const;
const ASKING = ['test', 'rotate', 'replay', 'delete'] as const;

/**
 * The search parameters of a webhook: the tab, the filters of its deliveries, and the open dialog or
 * delivery.
 */
export interface WebhookSearch {
  tab?: (typeof TABS)[number];
  status?: (typeof STATUSES)[number];
  kind?: string;
  last?: Span;
  delivery?: string;
  do?: (typeof ASKING)[number];
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  return {
    create: search.create === true || undefined,
    q: text(search.q),
    state: oneOf(STATES, search.state),
  };
}

export function readWebhookSearch(search: Record<string, unknown>): WebhookSearch {
  return {
    tab: oneOf(TABS, search.tab),
    status: oneOf(STATUSES, search.status),
    kind: text(search.kind),
    last: oneOf(Object.keys(SPANS) as Span[], search.last),
    delivery: text(search.delivery),
    do: oneOf(ASKING, search.do),
  };
}
