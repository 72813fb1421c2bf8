import { afterEach, expect, test, vi } from 'vitest';
import { type Account, type Session, session } from '../app/session';
import { reloadUntil, showsVersion } from './account';

afterEach(() => vi.restoreAllMocks());

function accountWith(version: number): Account {
  return { memberships: [{ workspace: { id: 'ws_1', version } }] } as Account;
}

function answering(...answers: Session[]) {
  let at = -1;
  vi.spyOn(session, 'snapshot').mockImplementation(
    () => answers[Math.min(at, answers.length - 1)] as Session,
  );
  return vi.spyOn(session, 'reload').mockImplementation(async () => {
    at += 1;
  });
}

const seen = (version: number): Session => ({ state: 'in', account: accountWith(version) });
const nothing = async () => undefined;
const wanted = { id: 'ws_1', version: 2 };

test('an account is read until it shows the change', async () => {
  const reload = answering(seen(1), seen(1), seen(2));
  await reloadUntil((account) => showsVersion(account, wanted), nothing);
  expect(reload).toHaveBeenCalledTimes(3);
});

test('it is not read for ever', async () => {
  const reload = answering(seen(1));
  await reloadUntil(() => false, nothing);
  expect(reload).toHaveBeenCalledTimes(8);
});

test('it is not read once somebody has signed out', async () => {
  const reload = answering({ state: 'out' });
  await reloadUntil(() => false, nothing);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a later version shows a change, too; a place that is not there does not', () => {
  expect([1, 2, 3].map((it) => showsVersion(accountWith(it), wanted))).toEqual([false, true, true]);
  expect(showsVersion({ memberships: [] } as unknown as Account, wanted)).toBe(false);
});
