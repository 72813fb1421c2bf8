import { getExport } from './api';
import { filtersOf, type LogSearch, spanOf } from './search';

/** Downloads what the filters show. The link has the rows themselves, never a token. */
export async function download(ws: string, search: LogSearch): Promise<void> {
  const now = Date.now();
  const rows = await getExport(ws, { ...filtersOf(search), ...spanOf(search, now) });
  const url = URL.createObjectURL(rows);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(now);
  link.click();
  // The browser reads it once the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** `tidings-usage-2026-07-24T12-41-07.csv`, by the clock of UTC. */
export function fileName(now: number): string {
  return `tidings-usage-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}.csv`;
}
