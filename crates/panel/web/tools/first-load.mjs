// Measures the first load: the sign-in page with an empty cache, then Home after signing in. Prints the
// requests and kilobytes of both, and fails if they exceed the limits. Run it on a build that is not packed
// yet: `node tools/first-load.mjs ../dist`. `tools/pack.mjs` runs it as part of every build.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { gzip } from 'pako';
import { FIRST_TEXTS } from './text-files.mjs';

/** The path of Vite's manifest in the build. It lists the files and their imports. */
export const MANIFEST = '.vite/manifest.json';

/** The limits of requests, and of bytes on the wire. */
const LIMITS = {
  signIn: { requests: 12, bytes: 200_000, fonts: 50_000 },
  home: { requests: 8, bytes: 120_000 },
};

/** The modules that Home needs in addition to the sign-in page. */
export const HOME = ['src/app/shell.tsx', 'src/home/page.tsx', 'src/inbox/badge.tsx'];
/** The file into which the build puts them, see `vite.config.ts`. */
const HOME_CHUNK = 'shell';
const PAGE = 'index.html';
/** The request for the session of an earlier visit. */
const API_CALLS = 1;

/** A file, its static imports and their style sheets. */
function addFiles(manifest, key, files, seen = new Set()) {
  if (seen.has(key)) return;
  seen.add(key);
  const { file, css = [], imports = [] } = manifest[key];
  if (file.endsWith('.js')) files.add(file);
  for (const sheet of css) files.add(sheet);
  for (const it of imports) addFiles(manifest, it, files, seen);
}

function keyOf(manifest, module) {
  if (manifest[module]) return module;
  const key = Object.keys(manifest).find((it) => manifest[it].name === HOME_CHUNK);
  if (!key) throw new Error(`the build contains neither ${module} nor a file named ${HOME_CHUNK}`);
  return key;
}

/** The texts of the first load, in the language with the largest file. */
function textsOf(manifest, name, size) {
  const files = Object.values(manifest)
    .filter((it) => it.name?.startsWith(`${name}-`))
    .map((it) => it.file);
  if (files.length === 0) throw new Error(`the build contains no file named ${name}`);
  return files.reduce((largest, it) => (size(it) > size(largest) ? it : largest));
}

function fontOf(names, family) {
  const font = names.find((it) => it.endsWith('.woff2') && it.includes(`/${family}-latin-`));
  if (!font) throw new Error(`the build contains no font ${family}`);
  return font;
}

/**
 * The requests and bytes of both loads. `index` is the text of `index.html`, `sizes` maps the path of each file of the
 * build to its bytes on the wire.
 */
export function measure(manifest, index, sizes) {
  const size = (file) => {
    if (!sizes.has(file)) throw new Error(`the build does not contain ${file}`);
    return sizes.get(file);
  };
  const sum = (files) => [...files].reduce((bytes, it) => bytes + size(it), 0);
  const names = [...sizes.keys()];
  const named = [...index.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1]);
  const start = new Set([PAGE, ...named]);
  addFiles(manifest, PAGE, start);
  const [startTexts, homeTexts] = Object.keys(FIRST_TEXTS).map((it) => textsOf(manifest, it, size));
  start.add(startTexts);
  const text = [fontOf(names, 'inter')];

  // Home of a new workspace shows code, so its font counts.
  const all = new Set(start);
  for (const it of HOME) addFiles(manifest, keyOf(manifest, it), all);
  all.add(homeTexts);
  const added = [...all].filter((it) => !start.has(it)).concat(fontOf(names, 'jetbrains-mono'));
  return {
    signIn: { requests: start.size + text.length + API_CALLS, bytes: sum(start), fonts: sum(text) },
    home: { requests: added.length, bytes: sum(added) },
  };
}

/** The values above their limits, one per line. */
export function excesses(measured, limits = LIMITS) {
  return Object.entries(limits).flatMap(([page, values]) =>
    Object.entries(values)
      .filter(([what, limit]) => measured[page][what] > limit)
      .map(([what, limit]) => `${page}: ${measured[page][what]} ${what}, at most ${limit}`),
  );
}

/** Prints both loads. Exits with 1 if one of them is above its limits. */
export function check(manifest, index, sizes) {
  const measured = measure(manifest, index, sizes);
  const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  const { signIn, home } = measured;
  console.log(`sign-in: ${signIn.requests} requests, ${kB(signIn.bytes)}, fonts ${kB(signIn.fonts)}`);
  console.log(`Home adds: ${home.requests} requests, ${kB(home.bytes)}`);
  const found = excesses(measured);
  for (const it of found) console.error(`above the limit of the first load: ${it}`);
  if (found.length > 0) process.exit(1);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const dist = resolve(argv[2] ?? new URL('../../dist', import.meta.url).pathname);
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  const sizes = new Map();
  for (const it of files) {
    const path = join(it.parentPath, it.name);
    const bytes = readFileSync(path);
    sizes.set(
      path.slice(dist.length + 1),
      path.endsWith('.woff2') ? bytes.length : gzip(bytes, { level: 9, memLevel: 9 }).length,
    );
  }
  check(JSON.parse(readFileSync(join(dist, MANIFEST))), readFileSync(join(dist, PAGE), 'utf8'), sizes);
}
