import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { shell } from '../app/shell-route';
import { readCatalogSearch } from '../catalog/search';
import { isCondition } from '../contacts/search';
import type { SegmentSearch } from './page';

const list = createRoute({
  getParentRoute: () => shell,
  path: '/segments',
  validateSearch: (search): SegmentSearch => ({
    ...readCatalogSearch(search),
    filter: search.create === true && isCondition(search.filter) ? search.filter : undefined,
  }),
  component: lazyRouteComponent(() => loadPart(() => import('./page')), 'Segments'),
});

export const segmentRoutes = [list];
