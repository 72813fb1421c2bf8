import { createRootRoute, createRoute, lazyRouteComponent, retainSearchParams } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { NotFound } from './not-found';
import { requireSession } from './require-session';
import { text } from './search-params';

interface PlaceSearch {
  ws?: string;
}

/** The search parameters of a list that is filtered by words and status. */
export interface ListSearch {
  create?: boolean;
  q?: string;
  status?: string;
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  return { create: search.create === true || undefined, q: text(search.q), status: text(search.status) };
}

export const root = createRootRoute({ notFoundComponent: NotFound });

/** The parent of all pages of a workspace. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  validateSearch: (search): PlaceSearch => ({ ws: text(search.ws) }),
  beforeLoad: ({ location }) => requireSession(location.href),
  search: { middlewares: [retainSearchParams<PlaceSearch>(['ws'])] },
  component: lazyRouteComponent(() => loadPart(() => import('./shell')), 'Shell'),
});
