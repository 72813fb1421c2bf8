import { isRedirect } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { rememberVisits, requireSession } from './require-session';
import { SessionStore } from './session';

const ACCOUNT = { user: { name: 'Ada' }, memberships: [] };
const channel = () => ({ onmessage: null, postMessage() {} });

/** A store with a server that answers each request with this status. */
const storeOf = (status: number) =>
  new SessionStore(channel(), async (input) => {
    const body = String(input) === '/auth/me' ? ACCOUNT : { access_token: 'token', expires_in: 604_800 };
    return new Response(JSON.stringify(status === 200 ? body : { code: 'unauthorized' }), { status });
  });

/** `open` if the page may load, otherwise the options of the redirect. */
const resultOf = (pending: Promise<void>) =>
  pending.then(
    () => 'open',
    (error) => {
      if (!isRedirect(error)) throw error;
      return error.options;
    },
  );

test('a first visit waits for the server, then shows the sign-in page', async () => {
  const store = storeOf(401);
  let result: unknown;
  const pending = resultOf(requireSession('/contacts?q=ada', store)).then((it) => {
    result = it;
  });
  await Promise.resolve();
  expect(result).toBeUndefined();
  await store.restore();
  await pending;
  expect(result).toMatchObject({ to: '/login', search: { to: '/contacts?q=ada' }, replace: true });
});

test('a signed-in user opens the page', async () => {
  const store = storeOf(200);
  await store.restore();
  expect(await resultOf(requireSession('/contacts', store))).toBe('open');
});

test('loads the page before the server responds if the last visit ended signed in', async () => {
  const earlier = storeOf(200);
  const stop = rememberVisits(earlier);
  await earlier.restore();
  stop();
  expect(await resultOf(requireSession('/contacts', storeOf(200)))).toBe('open');
});

test('a visit after signing out is like a first visit', async () => {
  const store = storeOf(200);
  const stop = rememberVisits(store);
  await store.restore();
  expect(localStorage).toHaveLength(1);
  await store.signOut();
  stop();
  expect(localStorage).toHaveLength(0);
});

test('the page reports an unreachable server', async () => {
  const store = new SessionStore(channel(), async () => {
    throw new TypeError('away');
  });
  const pending = resultOf(requireSession('/', store));
  await store.restore();
  expect(await pending).toBe('open');
});
