import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const document = JSON.parse(readFileSync('../../../docs/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};
const named = readFileSync('../../../docs/reference/panel-coverage.md', 'utf8');

/** The operations that are called without the typed client, by file: no user is signed in, or it lacks progress. */
const BY_HAND: Record<string, string[]> = {
  'app/session.ts': ['POST /auth/login', 'POST /auth/refresh', 'POST /auth/logout', 'GET /auth/me'],
  'inbox/files/upload.ts': ['POST /api/v1/media'],
  'join/api.ts': ['GET /auth/invitations/{token}', 'POST /auth/invitations/{token}'],
  'reset/api.ts': ['GET /auth/reset-links/{token}', 'POST /auth/reset-links/{token}'],
};
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** All operations of the OpenAPI document, such as `GET /api/v1/tags`. */
function operations(): Set<string> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.filter((it) => it in methods).map((it) => `${it.toUpperCase()} ${path}`),
  );
  return new Set(all);
}

/** The operations that the panel calls. */
function called(): Set<string> {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const sources = files.filter((it) => /\.tsx?$/.test(it) && !/\.test\.tsx?$/.test(it));
  const texts = sources.map((file) => readFileSync(`src/${file}`, 'utf8'));
  const typed = texts.flatMap((text) =>
    [...text.matchAll(/\bapi(?:In\([^)]*\))?(?:\.raw)?\s*\.([A-Z]+)\(\s*'([^']+)'/g)].map(
      ([, method, path]) => `${method} ${path}`,
    ),
  );
  // `listIn` and `allIn` read the pages of a list.
  const lists = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:listIn|allIn)\([^']*?(?:'[^'/]*'[^']*?)*'(\/[^']+)'/g)].map(
      ([, path]) => `GET ${path}`,
    ),
  );
  return new Set([...typed, ...lists, ...Object.values(BY_HAND).flat()]);
}

/** The operations that the page lists as not called, in the first column of its tables. */
function excused(): string[] {
  const rows = named.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([A-Z]+ \/[^`]*)`/g)].map(([, operation]) => operation ?? ''),
  );
}

test('the panel calls every operation that has no reason to be left out', () => {
  const known = new Set([...called(), ...excused()]);
  const missing = [...operations()].filter((it) => !known.has(it));
  expect(missing, 'call them, or name them in docs/reference/panel-coverage.md').toEqual([]);
});

test('lists each left out operation once, and only existing, unused ones', () => {
  const [all, calls, names] = [operations(), called(), excused()];
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((it) => !all.has(it))).toEqual([]);
  expect(names.filter((it, at) => names.indexOf(it) !== at)).toEqual([]);
  expect(names.filter((it) => calls.has(it))).toEqual([]);
});

test('finds each call without the typed client in its file', () => {
  for (const [file, calls] of Object.entries(BY_HAND)) {
    const text = readFileSync(`src/${file}`, 'utf8');
    for (const it of calls) expect(text).toContain(it.split(' ')[1]?.split('{')[0]);
  }
});
