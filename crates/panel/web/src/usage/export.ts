import { saveFile } from '../components/save-file';
import { getExport } from './api';
import { filtersOf, type LogSearch, spanOf } from './search';

/** Downloads what the filters show. */
export async function download(ws: string, search: LogSearch): Promise<void> {
  const now = Date.now();
  const rows = await getExport(ws, { ...filtersOf(search), ...spanOf(search, now) });
  saveFile(rows, fileName(now));
}

/** `tidings-usage-2026-07-24T12-41-07.csv`, by the clock of UTC. */
export function fileName(now: number): string {
  return `tidings-usage-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}.csv`;
}
