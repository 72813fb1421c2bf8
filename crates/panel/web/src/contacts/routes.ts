import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { text } from '../app/search-params';
import { shell } from '../app/shell-route';
import { type ImportSearch, readImportSearch } from '../imports/search';
import { readContactSearch } from './search';

const list = createRoute({
  getParentRoute: () => shell,
  path: '/contacts',
  validateSearch: readContactSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./page')), 'Contacts'),
});

const imports = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/import',
  validateSearch: (search): ImportSearch => readImportSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('../imports/page')), 'ImportPage'),
});

const one = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/$id',
  validateSearch: (search): { tab?: 'profile'; kind?: string } => ({
    tab: search.tab === 'profile' ? 'profile' : undefined,
    kind: text(search.kind),
  }),
  component: lazyRouteComponent(() => loadPart(() => import('../contact/page')), 'ContactPage'),
});

export const peopleRoutes = [list, imports, one];
