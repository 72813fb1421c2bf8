import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { readListSearch, shell } from '../app/shell-route';
import { type FlowSearch, readFlowSearch } from './search';

const list = createRoute({
  getParentRoute: () => shell,
  path: '/flows',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./list')), 'Flows'),
});

const one = createRoute({
  getParentRoute: () => shell,
  path: '/flows/$id',
  validateSearch: (search): FlowSearch => readFlowSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('./page')), 'FlowPage'),
});

export const flowRoutes = [list, one];
