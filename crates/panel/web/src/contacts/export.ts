import { apiIn } from '../api/client';
import { problemOf } from '../api/problem';
import { saveFile } from '../components/save-file';
import type { Asked } from './query';

/** What the list shows, where the API exports it: a condition alone is one that it does not take. */
export type Exported = Pick<Extract<Asked, { by: 'list' }>, 'q' | 'segment' | 'deleted'>;

/** What is exported of a list; `undefined` where a condition narrows it. */
export function exportedOf(of: Asked | undefined): Exported | undefined {
  if (of?.by !== 'list') return undefined;
  const { q, segment, deleted } = of;
  return { q, segment, deleted };
}

/**
 * Downloads all contacts that match the filters of the list as a table, with all columns or some. The byte order mark
 * makes Excel read it as UTF-8.
 */
export async function exportContacts(ws: string, of: Exported, columns?: string[]): Promise<void> {
  const query = { ...of, bom: true, columns: columns?.join(',') };
  const asked = await apiIn(ws).GET('/api/v1/contacts/export', { params: { query }, parseAs: 'blob' });
  if (!asked.response.ok) throw problemOf(asked.response, asked.error);
  saveFile(asked.data as unknown as Blob, fileName(Date.now()));
}

/** `contacts-2026-07-24.csv`, by the clock of UTC. */
export function fileName(now: number): string {
  return `contacts-${new Date(now).toISOString().slice(0, 10)}.csv`;
}
