import { type Account, session } from '../app/session';

const PAUSE = 1_000;
const MOST = 8;

/**
 * Reads the account anew until it shows a change: the service may answer for five seconds with what it
 * knew of a person before.
 */
export async function reloadUntil(
  shows: (account: Account) => boolean,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
): Promise<void> {
  for (let attempt = 0; attempt < MOST; attempt++) {
    if (attempt > 0) await wait(PAUSE);
    await session.reload();
    const now = session.snapshot();
    if (now.state !== 'in' || shows(now.account)) return;
  }
}

/** Whether an account shows a workspace in this version, or a later one. */
export function showsVersion(account: Account, workspace: { id: string; version: number }): boolean {
  const known = account.memberships.find((it) => it.workspace.id === workspace.id);
  return known !== undefined && known.workspace.version >= workspace.version;
}
