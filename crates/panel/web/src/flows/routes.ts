import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { shell, text } from '../app/shell-route';
import { type FlowSearch, readFlowSearch } from './search';

const list = createRoute({
  getParentRoute: () => shell,
  path: '/flows',
  validateSearch: (search): { create?: boolean; q?: string; status?: string } => ({
    create: search.create === true || undefined,
    q: text(search.q),
    status: text(search.status),
  }),
  component: lazyRouteComponent(() => loadPart(() => import('./list')), 'Flows'),
});

const one = createRoute({
  getParentRoute: () => shell,
  path: '/flows/$id',
  validateSearch: (search): FlowSearch => readFlowSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('./page')), 'FlowPage'),
});

export const flowRoutes = [list, one];
