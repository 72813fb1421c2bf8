import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type AnalyticsSearch, readAnalyticsSearch } from '../analytics/search';
import { loadPart } from '../api/connection';
import { type CatalogSearch, readCatalogSearch } from '../catalog/search';
import { type RepliesSearch, readRepliesSearch } from '../reply-times/search';
import { type ListSearch, readListSearch, readWebhookSearch, type WebhookSearch } from '../webhooks/search';
import { text } from './search-params';
import { shell } from './shell-route';

const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  validateSearch: (search): ListSearch => readListSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('../webhooks/page')), 'Webhooks'),
});

const webhook = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/$id',
  validateSearch: (search): WebhookSearch => readWebhookSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('../webhooks/detail')), 'WebhookPage'),
});

const jobs = createRoute({
  getParentRoute: () => shell,
  path: '/developers/jobs',
  validateSearch: (search): { job?: string } => ({ job: text(search.job) }),
  component: lazyRouteComponent(() => loadPart(() => import('../jobs/page')), 'DeadLetters'),
});

const events = createRoute({
  getParentRoute: () => shell,
  path: '/events',
  validateSearch: (search): { kind?: string; event?: string } => ({
    kind: text(search.kind),
    event: text(search.event),
  }),
  component: lazyRouteComponent(() => loadPart(() => import('../events/page')), 'Events'),
});

const STATES = ['connecting', 'connected', 'disconnected'] as const;

const channels = createRoute({
  getParentRoute: () => shell,
  path: '/channels',
  validateSearch: (
    search,
  ): { create?: boolean; channel?: string; q?: string; state?: (typeof STATES)[number] } => ({
    create: search.create === true || undefined,
    channel: text(search.channel),
    q: text(search.q),
    state: STATES.find((it) => it === search.state),
  }),
  component: lazyRouteComponent(() => loadPart(() => import('../channels/page')), 'Channels'),
});

const secrets = createRoute({
  getParentRoute: () => shell,
  path: '/settings/secrets',
  validateSearch: (search): { create?: boolean; secret?: string } => ({
    create: search.create === true || undefined,
    secret: text(search.secret),
  }),
  component: lazyRouteComponent(() => loadPart(() => import('../secrets/page')), 'Secrets'),
});

const replies = createRoute({
  getParentRoute: () => shell,
  path: '/settings/saved-replies',
  // Older addresses have the open reply in `reply`.
  validateSearch: (search): CatalogSearch => readCatalogSearch({ open: search.reply, ...search }),
  component: lazyRouteComponent(() => loadPart(() => import('../replies/page')), 'SavedReplies'),
});

const analytics = createRoute({
  getParentRoute: () => shell,
  path: '/analytics',
  validateSearch: (search): AnalyticsSearch => readAnalyticsSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('../analytics/page')), 'Analytics'),
});

const replyTimes = createRoute({
  getParentRoute: () => shell,
  path: '/reply-times',
  validateSearch: (search): RepliesSearch => readRepliesSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('../reply-times/page')), 'ReplyTimes'),
});

export const connectRoutes = [
  channels,
  webhooks,
  webhook,
  events,
  jobs,
  secrets,
  replies,
  analytics,
  replyTimes,
] as const;
