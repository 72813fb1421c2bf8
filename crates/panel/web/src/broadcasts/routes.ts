import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { text } from '../app/search-params';
import { readListSearch, shell } from '../app/shell-route';

const list = createRoute({
  getParentRoute: () => shell,
  path: '/broadcasts',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./list')), 'Broadcasts'),
});

const one = createRoute({
  getParentRoute: () => shell,
  path: '/broadcasts/$id',
  validateSearch: (search): { recipients?: string } => ({ recipients: text(search.recipients) }),
  component: lazyRouteComponent(() => loadPart(() => import('./page')), 'BroadcastPage'),
});

export const broadcastRoutes = [list, one];
