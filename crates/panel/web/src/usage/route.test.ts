import { expect, test } from 'vitest';
import { callerOf, curlOf, shortRoute, toneOf, took, wholeRoute } from './route';

const ORIGIN = 'https://tidings.acme.example';

test('shows a route without its prefix if it stays unique', () => {
  expect(shortRoute('/api/v1/contacts/{id}')).toBe('/contacts/{id}');
  expect(shortRoute('/platform/workspaces/{ws}/api-keys')).toBe('/platform/workspaces/{ws}/api-keys');
  expect(shortRoute('/api/v1/inbound/{id}')).toBe('/api/v1/inbound/{id}');
  expect(shortRoute('none')).toBe('unknown route');
});

test('expands a route that is typed in its short form', () => {
  expect([' /contacts/{id} ', 'contacts', '/api/v1/me', '/platform/workspaces', ''].map(wholeRoute)).toEqual([
    '/api/v1/contacts/{id}',
    '/api/v1/contacts',
    '/api/v1/me',
    '/platform/workspaces',
    '',
  ]);
});

test('builds a curl command without a body for a route that reads', () => {
  expect(curlOf('GET', '/api/v1/contacts/{id}', ORIGIN)).toBe(
    `curl \\
  'https://tidings.acme.example/api/v1/contacts/{id}' \\
  -H "Authorization: Bearer $TIDINGS_KEY"`,
  );
  expect(curlOf('DELETE', '/api/v1/tags/{id}', ORIGIN)).toBe(
    `curl -X DELETE \\
  'https://tidings.acme.example/api/v1/tags/{id}' \\
  -H "Authorization: Bearer $TIDINGS_KEY"`,
  );
});

test('builds a curl command with a body for a route that writes', () => {
  expect(curlOf('POST', '/api/v1/contacts', ORIGIN)).toBe(
    `curl -X POST \\
  'https://tidings.acme.example/api/v1/contacts' \\
  -H "Authorization: Bearer $TIDINGS_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"…": "…"}'`,
  );
});

test('uses a token for platform routes, and builds no curl command for an unknown route', () => {
  expect(curlOf('GET', '/platform/workspaces', ORIGIN)).toContain('$TIDINGS_TOKEN');
  expect(curlOf('GET', 'none', ORIGIN)).toBeUndefined();
  expect(curlOf('OPTIONS', '/api/v1/contacts', ORIGIN)).toBeUndefined();
});

test('names a caller, or describes an unknown one', () => {
  const names = { keys: [{ id: 'key_1', name: 'backend', scope: 'write' }], people: { user_1: 'Ada' } };
  const caller = (key_id: string | null, user_id: string | null) => callerOf({ key_id, user_id }, names);
  expect(caller('key_1', null)).toBe('backend');
  expect(caller('key_01h455vb4pex5vsknk084sn02q', null)).toBe('key_01h455…n02q');
  expect(caller(null, 'user_1')).toBe('Ada');
  expect(caller(null, 'user_2')).toBe('a user');
  expect(caller(null, null)).toBe('no caller');
});

test('a status has the tone of its class', () => {
  expect([200, 304, 422, 503].map(toneOf)).toEqual(['ok', 'off', 'wait', 'bad']);
});

test('shows a duration below a millisecond as <1', () => {
  expect([0, 1, 1204].map((duration_ms) => took({ duration_ms }))).toEqual(['<1', '1', '1,204']);
});
