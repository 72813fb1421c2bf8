import { Http, type Options, type Settings } from './http.js';
import type { StreamMessage } from './live.js';
import { Operations } from './operations.js';

export { ApiError, TidingsError, Unreachable, WebhookRefused } from './errors.js';
export type { FollowOptions, KeyedOptions, Options, Settings, VersionedOptions } from './http.js';
export type { StreamMessage } from './live.js';
export type * from './models.js';
export type { components, operations, paths } from './schema.js';
export type { Answer, Body, Item, Query } from './types.js';
export { type Event, verify } from './webhooks.js';

/** All operations under /api/v1, grouped by path: `new Tidings({ url, key }).contacts.get('external_id:ada')`. */
export class Tidings extends Operations {
  readonly #http: Http;

  constructor(settings: Settings) {
    const http = new Http(settings);
    super(http);
    this.#http = http;
  }

  /**
   * Yields events and changes of the workspace as they happen. The client reconnects after an interruption.
   *
   * Pass the last `id` as `lastEventId` to continue after it. Throws ApiError 410 `events_gone` if events after it were
   * removed. Then call again without it, and reload your data. `deadline` limits the time without a connection.
   */
  stream(lastEventId?: number, options?: Options): AsyncGenerator<StreamMessage, void, undefined> {
    return this.#http.stream(lastEventId, options);
  }

  /** Sends a request that has no method. A POST has no Idempotency-Key, so it is only retried after 429. */
  request(verb: string, path: string, asked: { body?: unknown; query?: object; options?: Options } = {}): Promise<unknown> {
    return this.#http.call({ verb: verb.toUpperCase(), path }, [], asked);
  }
}
