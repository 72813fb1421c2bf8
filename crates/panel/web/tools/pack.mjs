// Brings the build into the form in which it is committed and embedded: text in gzip only, made by a
// library of a fixed version so that it is the same byte for byte everywhere. Fails where the first
// page would load more than it may.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { gzipSync } from 'fflate';

/** Bytes on the wire until the first page can be used. */
const FIRST_LOAD = 250_000;
const TEXT = /\.(html|js|css|svg|json|txt)$/;
const dist = process.argv[2] ? resolve(process.argv[2]) : new URL('../../dist/', import.meta.url).pathname;

function* files(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}

// The minifier replaces light-dark() by variables that nothing on the page defines.
const mangled = [...files(dist)].filter(
  (path) => path.endsWith('.css') && readFileSync(path, 'utf8').includes('--lightningcss-'),
);
if (mangled.length > 0) {
  console.error(`light-dark() does not survive the build; use a variable of src/app/theme.ts: ${mangled}`);
  process.exit(1);
}

const index = readFileSync(join(dist, 'index.html'), 'utf8');
const sizes = new Map();
for (const path of [...files(dist)]) {
  const name = `/${relative(dist, path)}`;
  if (!TEXT.test(path)) {
    sizes.set(name, statSync(path).size);
    continue;
  }
  const packed = gzipSync(readFileSync(path), { level: 9, mtime: 0 });
  writeFileSync(`${path}.gz`, packed);
  rmSync(path);
  sizes.set(name, packed.length);
}

// What index.html names, and the one font that every page shows.
const named = [...index.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]);
const font = [...sizes.keys()].filter((name) => /\/inter-latin-wght-normal-[^/]*\.woff2$/.test(name));
const first = ['/index.html', ...named, ...font].map((name) => [name, sizes.get(name) ?? 0]);
const total = first.reduce((sum, [, size]) => sum + size, 0);
for (const [name, size] of first) console.log(`${String(size).padStart(8)}  ${name}`);
console.log(`${String(total).padStart(8)}  first load, at most ${FIRST_LOAD}`);
if (total > FIRST_LOAD) process.exit(1);
