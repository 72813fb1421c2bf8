import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { shell } from '../app/shell-route';
import { readCatalogSearch } from './search';

const tags = createRoute({
  getParentRoute: () => shell,
  path: '/settings/tags',
  validateSearch: readCatalogSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./tags')), 'Tags'),
});

const fields = createRoute({
  getParentRoute: () => shell,
  path: '/settings/fields',
  validateSearch: readCatalogSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./fields')), 'CustomFields'),
});

const botFields = createRoute({
  getParentRoute: () => shell,
  path: '/settings/bot-fields',
  validateSearch: readCatalogSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./bot-fields')), 'BotFields'),
});

export const catalogRoutes = [tags, fields, botFields];
