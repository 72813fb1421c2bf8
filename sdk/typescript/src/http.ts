import { TidingsError } from './errors.js';
import { LONGEST_SILENCE, type StreamMessage, StreamParser } from './live.js';
import type { FeedEvent } from './models.js';
import { Call, type Limits, type Operation } from './policy.js';
import { OPERATIONS } from './table.js';

/** Options of every call. Times are in milliseconds. */
export interface Options {
  /** Ends the call at once, also between attempts. The call rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** The time limit of one attempt. */
  timeout?: number;
  /** The time limit of the whole call, with its retries and delays. */
  deadline?: number;
}

export interface KeyedOptions {
  /** The client generates a key if there is none. Set one to retry a request after a restart of your program. */
  idempotencyKey?: string;
}

export interface VersionedOptions {
  /** The call fails with 412 if the object has another `version`. */
  ifVersion?: number;
}

export interface FollowOptions extends Options {
  /** Only events of these types. */
  types?: readonly string[];
  /** The milliseconds between requests. The default is 2,000. */
  every?: number;
}

export interface Settings {
  /** The address of the server: `https://HOST`. */
  url: string;
  /** An API key, `tdg_live_…` or `tdg_test_…`. */
  key: string;
  /**
   * The retries after lost responses and 503, if they are safe. The default is 4. After 429, a call is retried until
   * the deadline.
   */
  retries?: number;
  /** The time limit of one attempt in milliseconds. The default is 70,000. */
  timeout?: number;
  /** The time limit of a whole call with its retries and delays, in milliseconds. The default is 120,000. */
  deadline?: number;
  fetch?: typeof fetch;
}

interface Asked {
  query?: object;
  body?: unknown;
  contentType?: string;
  headers?: Record<string, string>;
  options?: Options & KeyedOptions & VersionedOptions;
}

type OperationId = keyof typeof OPERATIONS;
type Parts = readonly (string | number)[];

const PAGE = 100;

/** Replaces the `{…}` of a path in order. */
function fill(path: string, parts: Parts): string {
  const left = [...parts];
  return path.replace(/{\w+}/g, () => encodeURIComponent(left.shift() ?? '').replaceAll('%3A', ':'));
}

/** Converts `{ tag: ['a', 'b'], custom_fields: { plan: 'gold' } }` to query parameters. */
function flatten(query: object, before = ''): [string, string][] {
  return Object.entries(query).flatMap(([key, value]): [string, string][] => {
    const name = before + key;
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((inner) => [name, String(inner)]);
    return typeof value === 'object' ? flatten(value, `${name}.`) : [[name, String(value)]];
  });
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Sends requests, retries them if that is safe, and reads lists, the feed and the stream. */
export class Http {
  constructor(private readonly settings: Settings) {}

  /** Returns the parsed body of a successful response, or undefined if it has none. Rejects with TidingsError. */
  // biome-ignore lint/suspicious/noExplicitAny: the generated methods name the type
  call(operation: OperationId | Operation, parts: Parts, asked: Asked): Promise<any> {
    const row = typeof operation === 'string' ? OPERATIONS[operation] : operation;
    return this.send(row, parts, asked, this.limits(asked.options), async (answer, call) => {
      const text = answer.ok ? await answer.text() : '';
      if (text === '') return undefined;
      try {
        return JSON.parse(text);
      } catch (cause) {
        throw call.unreadable(cause);
      }
    });
  }

  /** Returns a successful response with a body that is not JSON. The caller reads it. */
  raw(operation: OperationId, parts: Parts, asked: Asked): Promise<Response> {
    return this.send(OPERATIONS[operation], parts, asked, this.limits(asked.options), async (answer) => answer);
  }

  /** The rows of all pages of a list. */
  // biome-ignore lint/suspicious/noExplicitAny: the generated methods name the type
  async *each(operation: OperationId, parts: Parts, asked: Asked): AsyncGenerator<any, void, undefined> {
    let query: object = { limit: PAGE, ...asked.query };
    for (;;) {
      const page = await this.call(operation, parts, { ...asked, query });
      yield* page.data;
      if (page.next_cursor === null) return;
      query = { ...query, cursor: page.next_cursor };
    }
  }

  /** The rows of all pages of a search. */
  // biome-ignore lint/suspicious/noExplicitAny: the generated methods name the type
  async *searchEach(operation: OperationId, asked: Asked): AsyncGenerator<any, void, undefined> {
    let body: object = { limit: PAGE, ...(asked.body as object) };
    for (;;) {
      const page = await this.call(operation, [], { ...asked, body });
      yield* page.data;
      if (page.next_cursor === null) return;
      body = { ...body, cursor: page.next_cursor };
    }
  }

  /** The events of the feed, endlessly. */
  async *follow(after: number, options: FollowOptions = {}): AsyncGenerator<FeedEvent, void, undefined> {
    const { types, every = 2_000, ...rest } = options;
    const asked = { deadline: Number.POSITIVE_INFINITY, ...rest };
    let position = after;
    for (;;) {
      const query = { after: position, types: types?.length ? types.join(',') : undefined, limit: PAGE };
      const page = await this.send(
        OPERATIONS.list_events, [], { query, options: asked }, { ...this.limits(asked), retries: Number.POSITIVE_INFINITY },
        (answer) => answer.json(),
      );
      yield* page.data;
      position = page.next_after;
      if (!page.has_more) await sleep(every, asked.signal);
    }
  }

  /** The messages of the stream, across reconnects. */
  async *stream(lastEventId?: number, options: Options = {}): AsyncGenerator<StreamMessage, void, undefined> {
    const row = OPERATIONS.stream_workspace;
    const limits = {
      ...this.limits({ deadline: Number.POSITIVE_INFINITY, ...options }),
      retries: Number.POSITIVE_INFINITY,
    };
    let parser = new StreamParser(lastEventId);
    for (;;) {
      // Close the connection if the caller stops reading, or if the server is silent for too long.
      const stop = new AbortController();
      const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
      const asked = { headers: parser.headers(), options: { signal } };
      const answer = await this.send(row, [], asked, limits, async (found) => found);
      const reader = answer.body?.getReader();
      try {
        for (;;) {
          const silence = setTimeout(() => stop.abort(), LONGEST_SILENCE);
          const part = await reader?.read().finally(() => clearTimeout(silence));
          if (!part || part.done) break;
          yield* parser.feed(part.value);
        }
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason;
        if (error instanceof SyntaxError) throw error;
      } finally {
        stop.abort();
      }
      parser = parser.next();
      await sleep(parser.reopen, options.signal);
    }
  }

  private limits(options: Options = {}): Limits {
    return {
      timeout: options.timeout ?? this.settings.timeout ?? 70_000,
      deadline: options.deadline ?? this.settings.deadline ?? 120_000,
      retries: this.settings.retries ?? 4,
    };
  }

  /** Sends a request until `read` gets a response that ends the call. */
  private async send<T>(
    operation: Operation,
    parts: Parts,
    asked: Asked,
    limits: Limits,
    read: (answer: Response, call: Call) => Promise<T>,
  ): Promise<T> {
    const { signal, ifVersion, idempotencyKey } = asked.options ?? {};
    const url = new URL(this.settings.url.replace(/\/+$/, '') + fill(operation.path, parts));
    for (const [name, value] of flatten(asked.query ?? {})) url.searchParams.append(name, value);
    const headers = new Headers(asked.headers);
    headers.set('Authorization', `Bearer ${this.settings.key}`);
    headers.set('Accept', 'application/json, */*;q=0.1');
    if (ifVersion !== undefined) headers.set('If-Match', `"${ifVersion}"`);
    const key = operation.keyed ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
    if (key !== undefined) headers.set('Idempotency-Key', key);
    let body: BodyInit | undefined;
    if (asked.body !== undefined) {
      headers.set('Content-Type', asked.contentType ?? 'application/json');
      body = asked.contentType ? (asked.body as BodyInit) : JSON.stringify(asked.body);
    }
    const call = new Call(operation, limits, key);
    const fetched = this.settings.fetch ?? fetch;
    for (;;) {
      signal?.throwIfAborted();
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new DOMException('no answer in time', 'TimeoutError')), call.timeout());
      let wait: number | undefined;
      try {
        const ends = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
        const answer = await fetched(url, { method: operation.verb, headers, body, signal: ends });
        wait = await call.afterAnswer(answer);
        if (wait === undefined) return await read(answer, call);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof TidingsError) throw error;
        wait = call.afterLoss(error);
      } finally {
        clearTimeout(timer);
      }
      await sleep(wait, signal);
    }
  }
}
