import { type Problem, TidingsError, Unreachable } from './errors.js';

/** What a single request may carry besides its parameters. */
export interface Options {
  /** The version that must be there still, as its `ETag` says. */
  ifMatch?: string;
  /** One that you choose yourself, to repeat a request after a restart; else each request has one of its own. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

interface Asked extends Options {
  query?: object;
  body?: unknown;
  contentType?: string;
  keyed?: boolean;
  raw?: boolean;
}

export interface Settings {
  /** Where the server is: `https://HOST`. */
  url: string;
  /** An API key, `tdg_live_…` or `tdg_test_…`. */
  key: string;
  /** How often is asked again where that is safe; 3 where it is not said. */
  retries?: number;
  /** Milliseconds for each attempt; 70 000 where it is not said. */
  timeout?: number;
  fetch?: typeof fetch;
}

const LATER = new Set([429, 502, 503, 504]);
const REPEATABLE = new Set(['GET', 'PUT', 'DELETE']);
const LONGEST_WAIT = 60_000;

/** A part of a path. */
export function quote(part: string | number): string {
  return encodeURIComponent(part).replaceAll('%3A', ':');
}

/** `{ tag: ['a', 'b'], custom_fields: { plan: 'gold' } }` as parameters of a URL. */
export function flat(query: object, before = ''): [string, string][] {
  return Object.entries(query).flatMap(([key, value]): [string, string][] => {
    const name = before + key;
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((inner) => [name, String(inner)]);
    return typeof value === 'object' ? flat(value, `${name}.`) : [[name, String(value)]];
  });
}

/** Milliseconds until the next attempt: what the server says, else twice as long each time, and not all at once. */
function wait(attempt: number, answer: Response | undefined): number {
  const said = Number(answer?.headers.get('Retry-After') ?? Number.NaN);
  if (Number.isFinite(said)) return Math.min(said * 1000, LONGEST_WAIT);
  return Math.min(250 * 2 ** attempt, LONGEST_WAIT) * (0.5 + Math.random() / 2);
}

/** Sends a request, again where that is safe, and reads pages. */
export class Http {
  constructor(private readonly settings: Settings) {}

  /** The body of a successful answer. Rejects with TidingsError or Unreachable. */
  // biome-ignore lint/suspicious/noExplicitAny: the generated methods say what it is
  async send(verb: string, path: string, asked: Asked): Promise<any> {
    const url = new URL(path, this.settings.url);
    for (const [name, value] of flat(asked.query ?? {})) url.searchParams.append(name, value);
    const headers = new Headers({ Authorization: `Bearer ${this.settings.key}`, Accept: 'application/json' });
    if (asked.ifMatch) headers.set('If-Match', asked.ifMatch);
    if (asked.keyed) headers.set('Idempotency-Key', asked.idempotencyKey ?? crypto.randomUUID());
    let body: BodyInit | undefined;
    if (asked.body !== undefined) {
      headers.set('Content-Type', asked.contentType ?? 'application/json');
      body = asked.contentType ? (asked.body as BodyInit) : JSON.stringify(asked.body);
    }
    const repeatable = asked.keyed || (REPEATABLE.has(verb) && !asked.ifMatch);
    const answer = await this.answered(url, { method: verb, headers, body }, asked.signal, repeatable);
    if (asked.raw) return answer;
    return answer.status === 204 ? undefined : answer.json();
  }

  /** All that a list has, page by page. */
  // biome-ignore lint/suspicious/noExplicitAny: the generated methods say what it is
  async *each(path: string, asked: Asked): AsyncGenerator<any> {
    let cursor: string | null = null;
    do {
      const query: object = cursor === null ? { ...asked.query } : { ...asked.query, cursor };
      const page = await this.send('GET', path, { ...asked, query });
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  private async answered(url: URL, request: RequestInit, signal: AbortSignal | undefined, repeatable: boolean) {
    const retries = repeatable ? (this.settings.retries ?? 3) : 0;
    const send = this.settings.fetch ?? fetch;
    for (let attempt = 0; ; attempt += 1) {
      let answer: Response | undefined;
      try {
        const timeout = AbortSignal.timeout(this.settings.timeout ?? 70_000);
        answer = await send(url, { ...request, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
        if (answer.ok) return answer;
      } catch (error) {
        if (signal?.aborted) throw error;
        if (attempt === retries) throw new Unreachable(`${request.method} ${url}`, error);
      }
      if (answer && (!LATER.has(answer.status) || attempt === retries)) throw await refused(answer);
      await new Promise((resolve) => setTimeout(resolve, wait(attempt, answer)));
    }
  }
}

async function refused(answer: Response): Promise<TidingsError> {
  const problem: Problem = await answer.json().catch(() => ({}));
  return new TidingsError(answer.status, problem, answer.headers.get('X-Request-Id'));
}
