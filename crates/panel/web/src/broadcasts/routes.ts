import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { shell, text } from '../app/shell-route';

const list = createRoute({
  getParentRoute: () => shell,
  path: '/broadcasts',
  validateSearch: (search): { create?: boolean; q?: string; status?: string } => ({
    create: search.create === true || undefined,
    q: text(search.q),
    status: text(search.status),
  }),
  component: lazyRouteComponent(() => loadPart(() => import('./list')), 'Broadcasts'),
});

const one = createRoute({
  getParentRoute: () => shell,
  path: '/broadcasts/$id',
  validateSearch: (search): { recipients?: string } => ({ recipients: text(search.recipients) }),
  component: lazyRouteComponent(() => loadPart(() => import('./page')), 'BroadcastPage'),
});

export const broadcastRoutes = [list, one];
