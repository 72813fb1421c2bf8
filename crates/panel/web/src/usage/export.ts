import { saveFile } from '../components/save-file';
import { getExport } from './api';
import { filtersOf, type LogSearch, spanOf } from './search';

/** Downloads the filtered requests as CSV. */
export async function download(ws: string, search: LogSearch): Promise<void> {
  const now = Date.now();
  const rows = await getExport(ws, { ...filtersOf(search), ...spanOf(search, now) });
  saveFile(rows, fileName(now));
}

/** The file name, with UTC time: `tidings-usage-2026-07-24T12-41-07.csv`. */
export function fileName(now: number): string {
  return `tidings-usage-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}.csv`;
}
