import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { verify } from './verify';

const NEW = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const OLD = 'whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=';
const ID = 'evt_01J9Z3K5W8Q2M4N6P7R8S9T0VX';
const AT = 1_767_225_600;
const BODY =
  '{"id":"evt_01J9Z3K5W8Q2M4N6P7R8S9T0VX","type":"contact.tag_added","api_version":"v1","timestamp":"2026-01-01T00:00:00.000Z","workspace_id":"ws_01J9Z3K5W8Q2M4N6P7R8S9T0VA","data":{"contact_id":"con_01J9Z3K5W8Q2M4N6P7R8S9T0VB","name":"Zoë 🦀"}}';
const SIGNED =
  'v1,KI4Ovn9LFF1Xr/iLqKQxZylmREqfjdkAKqcv8KYNWyA= v1,0VWIdVH/1vn3l0zC158ylQKYoSC8gtNASdLeF++IV0I=';

const headers = (signature: string, at: number | string = AT) =>
  new Headers({ 'webhook-id': ID, 'webhook-timestamp': String(at), 'webhook-signature': signature });
const now = AT * 1000;

/** As the service signs (docs/reference/webhooks.md). */
function signed(secret: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${ID}.${AT}.${body}`).digest('base64')}`;
}

test('accepts signatures of the new secret, and of the old one during the overlap', () => {
  expect(signed(NEW, BODY)).toBe(SIGNED.split(' ')[0]);
  expect(verify(NEW, headers(SIGNED), BODY, now)).toBe(true);
  expect(verify(OLD, headers(SIGNED), BODY, now)).toBe(true);
  expect(verify(NEW, headers(signed(NEW, '{}')), '{}', now)).toBe(true);
});

test('rejects a changed body, an old timestamp, and a missing signature', () => {
  expect(verify(NEW, headers(SIGNED), BODY.replace('Zoë', 'Zoe'), now)).toBe(false);
  expect(verify('whsec_c2l4dGVlbg==', headers(SIGNED), BODY, now)).toBe(false);
  expect(verify(NEW, headers(SIGNED), BODY, now + 301_000)).toBe(false);
  expect(verify(NEW, headers(SIGNED, 'soon'), BODY, now)).toBe(false);
  expect(verify(NEW, headers('v1,not-a-signature'), BODY, now)).toBe(false);
  expect(verify(NEW, new Headers(), BODY, now)).toBe(false);
});
