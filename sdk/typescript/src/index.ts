import { Http, type Settings } from './http.js';
import { Operations } from './operations.js';

export { type Place, TidingsError, Unreachable } from './errors.js';
export type { Options, Settings } from './http.js';
export type { components, operations, paths } from './schema.js';
export type { Answer, Body, Item, Query } from './types.js';
export { type Event, verify, WebhookRefused } from './webhooks.js';

/** All operations under /api/v1, by subject: `new Tidings({ url, key }).contacts.get('external_id:ada')`. */
export class Tidings extends Operations {
  constructor(settings: Settings) {
    super(new Http(settings));
  }
}
