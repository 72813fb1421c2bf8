import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { WebhookRefused } from './errors.js';
import type { webhooks } from './schema.js';

type Delivered = webhooks[keyof webhooks];
type BodyOf<W> = W extends { post: { requestBody: { content: { 'application/json': infer J } } } } ? J : never;

/** The event of a webhook delivery. Its `type` is the event type, and its `id` is the same for every attempt. */
export type Event = BodyOf<Delivered>;

/**
 * Returns the event of a delivery. `body` is the received body, byte for byte. `secret` is the secret of the webhook,
 * `whsec_…`. Throws WebhookRefused if no signature is valid, or if the timestamp differs by more than five minutes from
 * the clock.
 */
export function verify(body: string, headers: Headers | Record<string, string | string[] | undefined>, secret: string): Event {
  const given: [string, string | string[] | undefined][] =
    headers instanceof Headers ? [...headers] : Object.entries(headers);
  const plain = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const webhook = new Webhook(secret);
  try {
    return webhook.verify(body, plain) as Event;
  } catch (cause) {
    if (cause instanceof WebhookVerificationError) throw new WebhookRefused(cause.message, { cause });
    throw cause;
  }
}
