import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { auditRoutes } from '../audit/routes';
import { broadcastRoutes } from '../broadcasts/routes';
import { catalogRoutes } from '../catalog/routes';
import { peopleRoutes } from '../contacts/routes';
import { flowRoutes } from '../flows/routes';
import { inboxRoutes } from '../inbox/routes';
import { Join } from '../join/page';
import { Login } from '../login/page';
import { Reset } from '../reset/page';
import { segmentRoutes } from '../segments/routes';
import { sequenceRoutes } from '../sequences/routes';
import { type LogSearch, readLogSearch } from '../usage/search';
import { connectRoutes } from './routes-connect';
import { text } from './search-params';
import { root, shell } from './shell-route';

// The pages for users who are not signed in are part of the first load. Every other page loads on demand.
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): { to?: string } => ({ to: text(search.to) }),
  component: Login,
});

const join = createRoute({
  getParentRoute: () => root,
  path: '/join/$token',
  component: Join,
});

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset/$token',
  component: Reset,
});

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => loadPart(() => import('../home/page')), 'Home'),
});

const docs = createRoute({
  getParentRoute: () => shell,
  path: '/developers/docs',
  component: lazyRouteComponent(() => loadPart(() => import('../docs/page')), 'Docs'),
});

const log = createRoute({
  getParentRoute: () => shell,
  path: '/developers/log',
  validateSearch: (search): LogSearch => readLogSearch(search),
  component: lazyRouteComponent(() => loadPart(() => import('../usage/page')), 'UsageLog'),
});

const sandbox = createRoute({
  getParentRoute: () => shell,
  path: '/developers/sandbox',
  component: lazyRouteComponent(() => loadPart(() => import('../sandbox/page')), 'Sandbox'),
});

const keys = createRoute({
  getParentRoute: () => shell,
  path: '/settings/api-keys',
  validateSearch: (search): { create?: boolean; key?: string } => ({
    create: search.create === true || undefined,
    key: text(search.key),
  }),
  component: lazyRouteComponent(() => loadPart(() => import('../keys/page')), 'ApiKeys'),
});

const members = createRoute({
  getParentRoute: () => shell,
  path: '/settings/members',
  validateSearch: (search): { invite?: boolean; q?: string; member?: string } => ({
    invite: search.invite === true || undefined,
    q: text(search.q),
    member: text(search.member),
  }),
  component: lazyRouteComponent(() => loadPart(() => import('../members/page')), 'Members'),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(() => loadPart(() => import('./settings-index')), 'SettingsIndex'),
});

const workspace = createRoute({
  getParentRoute: () => shell,
  path: '/settings/workspace',
  component: lazyRouteComponent(() => loadPart(() => import('../settings/workspace')), 'WorkspaceSettings'),
});

const storage = createRoute({
  getParentRoute: () => shell,
  path: '/settings/storage',
  component: lazyRouteComponent(() => loadPart(() => import('../storage/page')), 'PlanAndStorage'),
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/settings/profile',
  component: lazyRouteComponent(() => loadPart(() => import('../settings/profile')), 'Profile'),
});

const object = createRoute({
  getParentRoute: () => shell,
  path: '/objects/$id',
  component: lazyRouteComponent(() => loadPart(() => import('../inspect/page')), 'Inspector'),
});

const tree = root.addChildren([
  login,
  join,
  reset,
  shell.addChildren([
    home,
    docs,
    log,
    sandbox,
    keys,
    members,
    settings,
    workspace,
    storage,
    profile,
    ...auditRoutes,
    ...peopleRoutes,
    ...segmentRoutes,
    ...catalogRoutes,
    ...inboxRoutes,
    ...flowRoutes,
    ...sequenceRoutes,
    ...connectRoutes,
    ...broadcastRoutes,
    object,
  ]),
]);

export const router = createRouter({ routeTree: tree, defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
