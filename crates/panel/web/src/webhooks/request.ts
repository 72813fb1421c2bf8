import type { Webhook } from './api';
import type { Delivery } from './deliveries';

type Sent = Pick<Delivery, 'id' | 'event_id' | 'event_type' | 'attempt_count'>;

/** The request of a delivery's last attempt as HTTP text, without signatures. */
export function requestOf(webhook: Pick<Webhook, 'url' | 'headers'>, delivery: Sent, body?: object): string {
  const { pathname, search, host } = new URL(webhook.url);
  const own = Object.entries(webhook.headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [
    `POST ${pathname}${search}`,
    `Host: ${host}`,
    'Content-Type: application/json',
    `webhook-id: ${delivery.event_id}`,
    'webhook-timestamp: …',
    'webhook-signature: v1,…',
    'X-Service-Signature: t=…,v1=…',
    `X-Service-Event: ${delivery.event_type}`,
    `X-Service-Delivery: ${delivery.id}`,
    `X-Service-Attempt: ${Math.max(1, delivery.attempt_count)}`,
    ...own,
  ];
  return body ? `${lines.join('\n')}\n\n${JSON.stringify(body, null, 2)}` : lines.join('\n');
}
