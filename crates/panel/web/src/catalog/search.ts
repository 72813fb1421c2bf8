import { text } from '../app/search-params';

/** The search parameters of a catalog: the open row and the filter. */
export interface CatalogSearch {
  q?: string;
  open?: string;
  create?: boolean;
  /** The initial condition of a new row, on pages that support it. */
  filter?: unknown;
}

export function readCatalogSearch(search: Record<string, unknown>): CatalogSearch {
  return { q: text(search.q), open: text(search.open), create: search.create === true || undefined };
}
