import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { readListSearch, shell } from '../app/shell-route';
import { readSequenceSearch, type SequenceSearch } from './search';

const list = createRoute({
  getParentRoute: () => shell,
  path: '/sequences',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./list')), 'Sequences'),
});

const one = createRoute({
  getParentRoute: () => shell,
  path: '/sequences/$id',
  validateSearch: (search): SequenceSearch => readSequenceSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('./page')), 'SequencePage'),
});

export const sequenceRoutes = [list, one];
