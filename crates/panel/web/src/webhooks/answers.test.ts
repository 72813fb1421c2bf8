import { expect, test } from 'vitest';
import { byAnswer, byKind } from './answers';
import { requestOf } from './request';

const delivery = (
  event_type: string,
  status: 'pending' | 'succeeded' | 'failed',
  last_status: number | null,
) => ({
  event_type,
  status,
  last_status,
  attempt_count: status === 'pending' ? 0 : 1,
});

test('counts deliveries by response and by event type, the most frequent first', () => {
  const all = [
    delivery('contact.created', 'succeeded', 200),
    delivery('contact.created', 'failed', 500),
    delivery('contact.created', 'failed', null),
    delivery('message.sent', 'succeeded', 200),
    delivery('message.sent', 'pending', null),
  ];
  expect(byAnswer(all)).toEqual([
    { name: '200', count: 2, failed: 0 },
    { name: '500', count: 1, failed: 1 },
    { name: 'no response', count: 1, failed: 1 },
  ]);
  expect(byKind(all).map((it) => [it.name, it.count, it.failed])).toEqual([
    ['contact.created', 3, 2],
    ['message.sent', 2, 0],
  ]);
});

test('shows a request as it is sent, without its signatures', () => {
  const sent = { id: 'dlv_1', event_id: 'evt_1', event_type: 'contact.created', attempt_count: 2 };
  const webhook = { url: 'https://a.example/hooks?x=1', headers: { 'X-Team': 'crm' } };
  const lines = requestOf(webhook, sent, { id: 'evt_1' }).split('\n');
  expect(lines[0]).toBe('POST /hooks?x=1');
  expect(lines).toContain('X-Service-Attempt: 2');
  expect(lines).toContain('X-Team: crm');
  expect(lines.at(-2)).toBe('  "id": "evt_1"');
});
