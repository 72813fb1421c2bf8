import { session } from '../app/session';

/** The error code for a request to a deleted workspace. */
export const WORKSPACE_DELETED = 'workspace_deleted';

let reading: Promise<void> | undefined;

/**
 * Reloads the account if the server answered that the workspace is deleted. The account then contains the
 * deletion, and the panel shows the page of a deleted workspace. Several responses at once cause one request.
 */
export async function noteDeletion(response: Response): Promise<void> {
  if (response.status !== 410) return;
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: unknown } | undefined;
  if (body?.code !== WORKSPACE_DELETED) return;
  reading ??= session
    .reload()
    .catch(() => undefined)
    .finally(() => {
      reading = undefined;
    });
  await reading;
}
