import { cwd } from 'node:process';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { nodesOf, sources, staticImports } from '../src/testing/sources';
import { excesses, HOME, measure } from './first-load.mjs';
import { FIRST_TEXTS, textFile } from './text-files.mjs';

const INDEX =
  '<link rel="icon" href="/favicon.svg" /><script src="/assets/index.js"></script><link rel="stylesheet" href="/assets/index.css" />';
const MANIFEST = {
  'index.html': {
    file: 'assets/index.js',
    css: ['assets/index.css'],
    imports: ['_start.js'],
    dynamicImports: ['_shell.js'],
  },
  '_start.js': { file: 'assets/start.js' },
  '_shell.js': {
    file: 'assets/shell.js',
    name: 'shell',
    css: ['assets/shell.css'],
    imports: ['_start.js', 'index.html'],
  },
  'src/i18n/en/login.ts': { file: 'assets/start-texts-en.js', name: 'start-texts-en' },
  '_start-texts-de.js': { file: 'assets/start-texts-de.js', name: 'start-texts-de' },
  '_home-texts-en.js': { file: 'assets/home-texts-en.js', name: 'home-texts-en' },
  'src/contacts/page.tsx': { file: 'assets/page.js', name: 'page', imports: ['_shell.js'] },
};
const SIZES = new Map([
  ['index.html', 1],
  ['favicon.svg', 2],
  ['assets/index.js', 10],
  ['assets/index.css', 20],
  ['assets/start.js', 40],
  ['assets/shell.js', 100],
  ['assets/shell.css', 200],
  ['assets/page.js', 5000],
  ['assets/start-texts-en.js', 300],
  ['assets/start-texts-de.js', 400],
  ['assets/home-texts-en.js', 500],
  ['assets/inter-latin-x.woff2', 1000],
  ['assets/jetbrains-mono-latin-x.woff2', 2000],
]);

test('the sign-in page counts what index.html names, static imports, texts, the font and the request for the session', () => {
  expect(measure(MANIFEST, INDEX, SIZES).signIn).toEqual({ requests: 8, bytes: 473, fonts: 1000 });
});

test('Home counts only files that the sign-in page did not load', () => {
  expect(measure(MANIFEST, INDEX, SIZES).home).toEqual({ requests: 4, bytes: 2800 });
});

test('a page of Home in a file of its own counts, too', () => {
  const manifest = {
    ...MANIFEST,
    'src/home/page.tsx': { file: 'assets/page.js', name: 'page', imports: ['_shell.js'] },
  };
  expect(measure(manifest, INDEX, SIZES).home).toEqual({ requests: 5, bytes: 7800 });
});

test('a preload of another page counts for the sign-in page', () => {
  const index = `${INDEX}<link rel="modulepreload" href="/assets/page.js" />`;
  expect(measure(MANIFEST, index, SIZES).signIn).toMatchObject({ requests: 9, bytes: 5473 });
});

test('a build without Home is an error', () => {
  const { '_shell.js': _, ...rest } = MANIFEST;
  expect(() => measure(rest, INDEX, SIZES)).toThrow('src/app/shell.tsx');
});

test('a file that index.html names and the build lacks is an error', () => {
  const index = `${INDEX}<script src="/assets/other.js"></script>`;
  expect(() => measure(MANIFEST, index, SIZES)).toThrow('assets/other.js');
});

test('each value above its limit is reported', () => {
  const measured = {
    signIn: { requests: 13, bytes: 200_000, fonts: 50_001 },
    home: { requests: 8, bytes: 120_001 },
  };
  expect(excesses(measured)).toEqual([
    'signIn: 13 requests, at most 12',
    'signIn: 50001 fonts, at most 50000',
    'home: 120001 bytes, at most 120000',
  ]);
  expect(excesses({ signIn: { requests: 12, bytes: 1, fonts: 1 }, home: { requests: 8, bytes: 1 } })).toEqual(
    [],
  );
});

test('a build without the texts of the first load is an error', () => {
  const { '_home-texts-en.js': _, ...rest } = MANIFEST;
  expect(() => measure(rest, INDEX, SIZES)).toThrow('home-texts');
});

/** The groups of texts that modules and their static imports use. */
function groupsOf(paths) {
  const known = new Set();
  for (const it of paths) staticImports(it, known);
  const calls = sources()
    .filter((it) => known.has(it.path))
    .flatMap((it) => nodesOf(it, (node) => node.kind === ts.SyntaxKind.CallExpression));
  return [...new Set(calls.map((it) => / texts\('([\w-]+)'\)$/.exec(it)?.[1]).filter(Boolean))].sort();
}

test('the texts of the first load are those that its modules use', () => {
  const start = groupsOf(['main.tsx']);
  const home = groupsOf(HOME.map((it) => it.replace('src/', ''))).filter((it) => !start.includes(it));
  expect({ 'start-texts': start, 'home-texts': home }).toEqual(FIRST_TEXTS);
});

test('a group of texts is a file for each language, and the groups of the first load share one', () => {
  expect(textFile('/panel/web/src/app/shell.tsx')).toBeNull();
  expect(textFile(`${cwd()}/src/i18n/en/inbox.ts`)).toBe('inbox-en');
  expect(textFile(`${cwd()}/src/i18n/de/login.ts`)).toBe('start-texts-de');
  expect(textFile(`${cwd()}/src/i18n/en/login.ts`)).toBe('start-texts-en');
});
