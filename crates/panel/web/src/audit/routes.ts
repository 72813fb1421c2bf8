import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { shell } from '../app/shell-route';
import { type AuditSearch, readAuditSearch } from './search';

const log = createRoute({
  getParentRoute: () => shell,
  path: '/settings/audit-log',
  validateSearch: (search): AuditSearch => readAuditSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('./page')), 'AuditLog'),
});

export const auditRoutes = [log];
