import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { type ListSearch, readListSearch, readWebhookSearch, type WebhookSearch } from '../webhooks/search';
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

/** The pages of what the workspace is connected to. */
export const connectRoutes = [webhooks, webhook] as const;
