import { noteReachable } from '../api/connection';
import { Problem, problemOf, Unreachable } from '../api/problem';
import type { components } from '../api/schema';

export type Account = components['schemas']['Account'];
type Tokens = Pick<components['schemas']['Tokens'], 'access_token' | 'expires_in'>;

/** What is known of who uses this tab. `unknown` until the service was asked. */
export type Session =
  | { state: 'unknown' }
  | { state: 'unreachable' }
  | { state: 'out'; why?: 'ended' }
  | { state: 'in'; account: Account };

/** Whether somebody was signed in and is no more. Who never was, as by a link to another password, keeps what is shown. */
export function hasLeft(before: Session, now: Session): boolean {
  return before.state === 'in' && now.state === 'out';
}

/** What tabs tell each other. Never a token. */
type Word = 'signed-in' | 'signed-out' | 'account-changed';

/** How long before its end an access token is replaced. */
const MARGIN = 24 * 3600 * 1000;

/**
 * Who is signed in, in all tabs of this browser. The access token lives in this object alone, so it is
 * gone with the tab; the refresh token is a cookie that no script can read.
 */
export class SessionStore {
  private current: Session = { state: 'unknown' };
  private token?: { text: string; replaceAt: number };
  private refreshing?: Promise<boolean>;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly channel: Pick<BroadcastChannel, 'postMessage'> & {
      onmessage: unknown;
    } = new BroadcastChannel('tidings'),
    private readonly request: typeof fetch = (...it) => fetch(...it),
  ) {
    this.channel.onmessage = (event: MessageEvent<Word>) => this.hear(event.data);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): Session => this.current;

  /** Begins with the cookie of an earlier visit, where there is one. */
  async restore(): Promise<void> {
    try {
      if (await this.refresh()) await this.loadAccount();
      else this.become({ state: 'out' });
    } catch {
      if (this.current.state !== 'in') this.become({ state: 'unreachable' });
    }
  }

  /** Signs in. Rejects with the {@link Problem} that the service tells, or {@link Unreachable}. */
  async signIn(email: string, password: string): Promise<void> {
    this.keep(await this.post<Tokens>('/auth/login', { email, password, cookie: true }));
    await this.loadAccount();
    this.tell('signed-in');
  }

  /** Signs out here and in all other tabs. */
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

  /** Reads the account anew, after places or names changed. */
  async reload(): Promise<void> {
    await this.loadAccount();
    this.tell('account-changed');
  }

  /** An access token that is good for a while; `undefined` where nobody is signed in. */
  async accessToken(): Promise<string | undefined> {
    if (this.token && Date.now() < this.token.replaceAt) return this.token.text;
    return (await this.refresh()) ? this.token?.text : undefined;
  }

  /** The service refused a token: tries to get another one. False where the session has ended. */
  async renew(refused: string): Promise<boolean> {
    if (this.token && this.token.text !== refused) return true;
    if (await this.refresh()) return true;
    this.forget('ended');
    this.tell('signed-out');
    return false;
  }

  /** One refresh at a time, however many ask. */
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
    for (const listener of this.listeners) listener();
  }
}

/** The one of this tab. */
export const session = new SessionStore();
