import { createRootRoute, createRoute, lazyRouteComponent, retainSearchParams } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { NotFound } from './not-found';
import { requireSession } from './require-session';

interface PlaceSearch {
  ws?: string;
}

/** A non-empty text parameter of the address. */
export const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

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
