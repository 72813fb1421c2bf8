import { expect, test } from 'vitest';
import { callerOf, curlOf, shortRoute, toneOf, took, wholeRoute } from './route';

const ORIGIN = 'https://tidings.acme.example';

test('a route is shown without its prefix where it cannot be another', () => {
  expect(shortRoute('/api/v1/contacts/{id}')).toBe('/contacts/{id}');
  expect(shortRoute('/platform/workspaces/{ws}/api-keys')).toBe('/platform/workspaces/{ws}/api-keys');
  expect(shortRoute('/api/v1/inbound/{id}')).toBe('/api/v1/inbound/{id}');
  expect(shortRoute('none')).toBe('unknown route');
});

test('a route that is typed as it is shown is the whole one', () => {
  expect([' /contacts/{id} ', 'contacts', '/api/v1/me', '/platform/workspaces', ''].map(wholeRoute)).toEqual([
    '/api/v1/contacts/{id}',
    '/api/v1/contacts',
    '/api/v1/me',
    '/platform/workspaces',
    '',
  ]);
});

test('a route that reads has a curl without a body', () => {
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

test('a route that writes has a body to be filled in', () => {
  expect(curlOf('POST', '/api/v1/contacts', ORIGIN)).toBe(
    `curl -X POST \\
  'https://tidings.acme.example/api/v1/contacts' \\
  -H "Authorization: Bearer $TIDINGS_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"…": "…"}'`,
  );
});

test('the platform takes no keys, and what is no route has no curl', () => {
  expect(curlOf('GET', '/platform/workspaces', ORIGIN)).toContain('$TIDINGS_TOKEN');
  expect(curlOf('GET', 'none', ORIGIN)).toBeUndefined();
  expect(curlOf('OPTIONS', '/api/v1/contacts', ORIGIN)).toBeUndefined();
});

test('who asked is told by name, or by what is left of it', () => {
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

test('what took less than a millisecond took some time', () => {
  expect([0, 1, 1204].map((duration_ms) => took({ duration_ms }))).toEqual(['<1', '1', '1,204']);
});
