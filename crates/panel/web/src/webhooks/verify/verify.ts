import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns whether the service signed the delivery. The body must be unchanged, byte for byte. */
export function verify(secret: string, headers: Headers, body: string, now = Date.now()): boolean {
  const id = headers.get('webhook-id');
  const timestamp = headers.get('webhook-timestamp');
  const signatures = headers.get('webhook-signature')?.split(' ') ?? [];
  const seconds = Math.abs(now / 1000 - Number(timestamp));
  if (!id || !timestamp || !(seconds <= 300)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  // During the rotation of a secret there are two signatures. One valid signature is enough.
  return signatures.some((it) => {
    const signature = it.startsWith('v1,') ? Buffer.from(it.slice(3), 'base64') : Buffer.alloc(0);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}
