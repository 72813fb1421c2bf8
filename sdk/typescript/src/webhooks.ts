import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { webhooks } from './schema.js';

export { WebhookVerificationError as WebhookRefused };

type Delivered = webhooks[keyof webhooks];
type BodyOf<W> = W extends { post: { requestBody: { content: { 'application/json': infer J } } } } ? J : never;

/** What a webhook delivers: `type` says which kind, and `id` is the same on every attempt. */
export type Event = BodyOf<Delivered>;

/**
 * The event of a delivery. `body` is what was received, byte by byte; `secret` is the webhook's, `whsec_…`. Throws
 * WebhookRefused where no signature is right, or where the timestamp is more than five minutes off.
 */
export function verify(body: string, headers: Headers | Record<string, string | string[] | undefined>, secret: string): Event {
  const given = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const plain = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]));
  return new Webhook(secret).verify(body, plain) as Event;
}
