import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { shell } from '../app/shell-route';
import { readContactSearch } from './search';

const list = createRoute({
  getParentRoute: () => shell,
  path: '/contacts',
  validateSearch: readContactSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./page')), 'Contacts'),
});

export const peopleRoutes = [list];
