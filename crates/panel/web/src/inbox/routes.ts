import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { shell } from '../app/shell-route';
import { type InboxSearch, readInboxSearch } from './views';

const inbox = createRoute({
  getParentRoute: () => shell,
  path: '/inbox/{-$conversation}',
  validateSearch: (search): InboxSearch => readInboxSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('./page')), 'InboxPage'),
});

export const inboxRoutes = [inbox];
