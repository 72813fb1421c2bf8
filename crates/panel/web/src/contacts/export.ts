import { apiIn } from '../api/client';
import { problemOf } from '../api/problem';
import { saveFile } from '../components/save-file';
import type { Asked } from './query';

/** The filters that the API can export. It cannot export a condition. */
export type Exported = Pick<Extract<Asked, { by: 'list' }>, 'q' | 'segment' | 'deleted'>;

/** The filters for an export of the list. `undefined` if the list has a condition. */
export function exportedOf(of: Asked | undefined): Exported | undefined {
  if (of?.by !== 'list') return undefined;
  const { q, segment, deleted } = of;
  return { q, segment, deleted };
}

/**
 * Downloads all contacts that match the filters as CSV, optionally with some columns only. The byte order
 * mark makes Excel read it as UTF-8.
 */
export async function exportContacts(ws: string, of: Exported, columns?: string[]): Promise<void> {
  const query = { ...of, bom: true, columns: columns?.join(',') };
  const asked = await apiIn(ws).raw.GET('/api/v1/contacts/export', { params: { query }, parseAs: 'blob' });
  if (!asked.response.ok) throw problemOf(asked.response, asked.error);
  saveFile(asked.data as unknown as Blob, fileName(Date.now()));
}

/** The file name, with the UTC date: `contacts-2026-07-24.csv`. */
export function fileName(now: number): string {
  return `contacts-${new Date(now).toISOString().slice(0, 10)}.csv`;
}
