import { api } from '../api/client';
import { saveFile } from '../components/save-file';
import { texts } from '../i18n/texts';

const t = texts('workspace-deletion');

/** Downloads all data of a workspace, and returns the name of the file. */
export async function exportWorkspace(ws: string): Promise<string> {
  const asked = api.GET('/platform/workspaces/{ws}/export', { params: { path: { ws } }, parseAs: 'blob' });
  const bytes = await asked.catch((error: unknown) => {
    // The response began, and its body was cut off. A request without a response is an `Unreachable`.
    throw error instanceof TypeError ? new Error(t('exportInterrupted')) : error;
  });
  const file = `${ws}.tar.gz`;
  saveFile(bytes as unknown as Blob, file);
  return file;
}
