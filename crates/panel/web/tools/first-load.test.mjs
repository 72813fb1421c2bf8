import { expect, test } from 'vitest';
import { excesses, measure } from './first-load.mjs';

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
  ['assets/inter-latin-x.woff2', 1000],
  ['assets/jetbrains-mono-latin-x.woff2', 2000],
]);

test('the sign-in page counts what index.html names, static imports, the font and the request for the session', () => {
  expect(measure(MANIFEST, INDEX, SIZES).signIn).toEqual({ requests: 7, bytes: 73, fonts: 1000 });
});

test('Home counts only files that the sign-in page did not load', () => {
  expect(measure(MANIFEST, INDEX, SIZES).home).toEqual({ requests: 3, bytes: 2300 });
});

test('a page of Home in a file of its own counts, too', () => {
  const manifest = {
    ...MANIFEST,
    'src/home/page.tsx': { file: 'assets/page.js', name: 'page', imports: ['_shell.js'] },
  };
  expect(measure(manifest, INDEX, SIZES).home).toEqual({ requests: 4, bytes: 7300 });
});

test('a preload of another page counts for the sign-in page', () => {
  const index = `${INDEX}<link rel="modulepreload" href="/assets/page.js" />`;
  expect(measure(MANIFEST, index, SIZES).signIn).toMatchObject({ requests: 8, bytes: 5073 });
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
