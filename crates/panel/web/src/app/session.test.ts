import { beforeEach, expect, test, vi } from 'vitest';
import { Problem, Unreachable } from '../api/problem';
import { hasLeft, type Session, SessionStore } from './session';

/** The channel between two tabs: each receives the messages of the other. */
class Channel {
  onmessage: ((event: MessageEvent) => void) | null = null;
  other?: Channel;
  posted: unknown[] = [];
  postMessage(data: unknown) {
    this.posted.push(data);
    this.other?.onmessage?.({ data } as MessageEvent);
  }
}

const ACCOUNT = { user: { name: 'Ada' }, memberships: [] };
const json = (status: number, body: unknown, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers });

/** A server that accepts one cookie and issues numbered tokens. */
function service(cookie = true) {
  let given = 0;
  const asked: string[] = [];
  const state = { cookie, away: false };
  const request = vi.fn(async (input: RequestInfo | URL) => {
    const path = String(input);
    asked.push(path);
    if (state.away) throw new TypeError('away');
    if (path === '/auth/login') state.cookie = true;
    if (path === '/auth/logout') state.cookie = false;
    if (path === '/auth/me') return json(200, ACCOUNT);
    if (path === '/auth/logout') return new Response(null, { status: 204 });
    if (!state.cookie) return json(401, { code: 'unauthorized' });
    given += 1;
    return json(200, { access_token: `token-${given}`, expires_in: 604_800 });
  });
  return { request, asked, state };
}

let channel: Channel;
beforeEach(() => {
  channel = new Channel();
});

test('the cookie restores a session, and a visitor without one is signed out', async () => {
  const back = new SessionStore(channel, service().request);
  await back.restore();
  expect(back.snapshot()).toEqual({ state: 'in', account: ACCOUNT });
  expect(await back.accessToken()).toBe('token-1');

  const fresh = new SessionStore(new Channel(), service(false).request);
  await fresh.restore();
  expect(fresh.snapshot()).toEqual({ state: 'out' });
});

test('concurrent requests for a token cause one refresh', async () => {
  const { request, asked } = service();
  const store = new SessionStore(channel, request);
  expect(await Promise.all([store.accessToken(), store.accessToken(), store.accessToken()])).toEqual([
    'token-1',
    'token-1',
    'token-1',
  ]);
  expect(asked).toEqual(['/auth/refresh']);
});

test('renews a rejected token once, and signs out with a reason if the session has ended', async () => {
  const { request, state } = service();
  const store = new SessionStore(channel, request);
  await store.restore();
  expect(await store.renew('token-1')).toBe(true);
  expect(await store.accessToken()).toBe('token-2');
  expect(await store.renew('token-1')).toBe(true);
  expect(await store.accessToken()).toBe('token-2');
  state.cookie = false;
  expect(await store.renew('token-2')).toBe(false);
  expect(store.snapshot()).toEqual({ state: 'out', why: 'ended' });
});

test('signing out in one tab signs out the other, and sends it no token', async () => {
  const { request } = service();
  const other = new Channel();
  [channel.other, other.other] = [other, channel];
  const [one, two] = [new SessionStore(channel, request), new SessionStore(other, request)];
  await one.restore();
  await two.restore();
  await one.signOut();
  expect(two.snapshot()).toEqual({ state: 'out', why: undefined });
  expect(channel.posted).toEqual(['signed-out']);
});

test('an unavailable server does not end a session', async () => {
  const { request, state } = service();
  const store = new SessionStore(channel, request);
  await store.restore();
  state.away = true;
  await expect(store.renew('token-1')).rejects.toBeInstanceOf(Unreachable);
  expect(store.snapshot().state).toBe('in');
  const late = new SessionStore(new Channel(), request);
  await late.restore();
  expect(late.snapshot()).toEqual({ state: 'unreachable' });
  state.away = false;
  await late.restore();
  expect(late.snapshot().state).toBe('in');
});

test('shows the error of the server after a wrong password', async () => {
  const refuse = vi.fn(async () => json(429, { code: 'too_many_attempts' }, { 'Retry-After': '30' }));
  const store = new SessionStore(channel, refuse);
  const error = await store.signIn('ada@example.com', 'x').catch((it: unknown) => it);
  expect(error).toBeInstanceOf(Problem);
  expect((error as Problem).retryAfter).toBe(30);
});

test('detects a sign-out only of a user who was signed in', () => {
  const inside = { state: 'in', account: ACCOUNT } as unknown as Session;
  expect(hasLeft(inside, { state: 'out' })).toBe(true);
  expect(hasLeft({ state: 'unknown' }, { state: 'out' })).toBe(false);
  expect(hasLeft(inside, inside)).toBe(false);
});
