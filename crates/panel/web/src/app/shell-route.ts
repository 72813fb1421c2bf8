import { createRootRoute, createRoute, lazyRouteComponent, retainSearchParams } from '@tanstack/react-router';
import { loadPart } from '../api/connection';
import { NotFound } from './not-found';
import { requireSession } from './require-session';

interface PlaceSearch {
  ws?: string;
}

/** A non-empty text parameter of the address. */
export const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

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
