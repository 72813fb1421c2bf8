import { noteReachable } from '../api/connection';
import { Listeners } from '../api/listeners';
import { Problem, problemOf, Unreachable } from '../api/problem';
import type { components } from '../api/schema';

export type Account = components['schemas']['Account'];
type Tokens = Pick<components['schemas']['Tokens'], 'access_token' | 'expires_in'>;

/** The session of this tab. It is `unknown` until the server answers. */
export type Session =
  | { state: 'unknown' }
  | { state: 'unreachable' }
  | { state: 'out'; why?: 'ended' }
  | { state: 'in'; account: Account };

/**
 * Whether a user was signed in and is not any more. A visitor who was never signed in, such as one with a
 * password link, keeps the page.
 */
export function hasLeft(before: Session, now: Session): boolean {
  return before.state === 'in' && now.state === 'out';
}

/** A message between tabs. It never contains a token. */
type Word = 'signed-in' | 'signed-out' | 'account-changed';

/** The time in milliseconds before its expiry at which an access token is replaced. */
const MARGIN = 24 * 3600 * 1000;

/**
 * The session, shared by all tabs of this browser. Only this object has the access token, so it is lost when
 * the tab is closed. The refresh token is a cookie that scripts cannot read.
 */
export class SessionStore extends Listeners {
  private current: Session = { state: 'unknown' };
  private token?: { text: string; replaceAt: number };
  private refreshing?: Promise<boolean>;

  constructor(
    private readonly channel: Pick<BroadcastChannel, 'postMessage'> & {
      onmessage: unknown;
    } = new BroadcastChannel('tidings'),
    private readonly request: typeof fetch = (...it) => fetch(...it),
  ) {
    super();
    this.channel.onmessage = (event: MessageEvent<Word>) => this.hear(event.data);
  }

  readonly snapshot = (): Session => this.current;

  /** Restores the session from the cookie of an earlier visit. */
  async restore(): Promise<void> {
    try {
      if (await this.refresh()) await this.loadAccount();
      else this.become({ state: 'out' });
    } catch {
      if (this.current.state !== 'in') this.become({ state: 'unreachable' });
    }
  }

  /** Signs in. Rejects with the server's {@link Problem} or with {@link Unreachable}. */
  async signIn(email: string, password: string): Promise<void> {
    this.keep(await this.post<Tokens>('/auth/login', { email, password, cookie: true }));
    await this.loadAccount();
    this.tell('signed-in');
  }

  /** Signs out in this tab and all others. */
  async signOut(): Promise<void> {
    const token = this.token?.text;
    this.forget();
    this.tell('signed-out');
    if (token === undefined) return;
    await this.request('/auth/logout', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    }).catch(() => undefined);
  }

  async reload(): Promise<void> {
    await this.loadAccount();
    this.tell('account-changed');
  }

  /** Returns a valid access token, or `undefined` if no user is signed in. */
  async accessToken(): Promise<string | undefined> {
    if (this.token && Date.now() < this.token.replaceAt) return this.token.text;
    return (await this.refresh()) ? this.token?.text : undefined;
  }

  /** Replaces an access token that the server rejected. Returns false if the session has ended. */
  async renew(refused: string): Promise<boolean> {
    if (this.token && this.token.text !== refused) return true;
    if (await this.refresh()) return true;
    this.forget('ended');
    this.tell('signed-out');
    return false;
  }

  /** Refreshes the token. Concurrent calls share one request. */
  private refresh(): Promise<boolean> {
    this.refreshing ??= this.refreshOnce().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async refreshOnce(): Promise<boolean> {
    try {
      this.keep(await this.post<Tokens>('/auth/refresh', {}));
      return true;
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return false;
      throw error;
    }
  }

  private async loadAccount(): Promise<void> {
    const token = await this.accessToken();
    const response = await this.send('/auth/me', { headers: { Authorization: `Bearer ${token}` } });
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw problemOf(response, body);
    this.become({ state: 'in', account: body as Account });
  }

  private keep(tokens: Tokens): void {
    const life = tokens.expires_in * 1000;
    this.token = { text: tokens.access_token, replaceAt: Date.now() + Math.max(life - MARGIN, life / 2) };
  }

  private async post<T>(path: string, body: object): Promise<T> {
    const headers = { 'Content-Type': 'application/json' };
    const response = await this.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const told: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw problemOf(response, told);
    return told as T;
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    try {
      const response = await this.request(path, init);
      noteReachable(true);
      return response;
    } catch (error) {
      noteReachable(false);
      throw new Unreachable(error);
    }
  }

  private forget(why?: 'ended'): void {
    this.token = undefined;
    this.become({ state: 'out', why });
  }

  private hear(word: Word): void {
    if (word === 'signed-out') this.forget();
    else if (word === 'signed-in' || this.current.state !== 'in') void this.restore();
    else void this.loadAccount().catch(() => undefined);
  }

  private tell(word: Word): void {
    this.channel.postMessage(word);
  }

  private become(next: Session): void {
    this.current = next;
    this.notify();
  }
}

/** The session of this tab. */
export const session = new SessionStore();
