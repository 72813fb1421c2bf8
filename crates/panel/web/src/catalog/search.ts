/** What the address of a catalog says: what is open, and what its rows are filtered by. */
export interface CatalogSearch {
  q?: string;
  open?: string;
  create?: boolean;
  /** What a new one begins with, where the page takes that. */
  filter?: unknown;
}

export function readCatalogSearch(search: Record<string, unknown>): CatalogSearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return { q: text(search.q), open: text(search.open), create: search.create === true || undefined };
}

/** Rows of which some text has each word. */
export function matching<Row>(rows: Row[], text: string, said: (row: Row) => string): Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => words.every((word) => said(row).toLowerCase().includes(word)));
}
