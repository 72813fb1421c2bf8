// Packs the build for the repository and the server. Text files are only kept as gzip. A library of a fixed
// version makes the same bytes everywhere. Fails if the first load exceeds its limits.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { gzip } from 'pako';
import { check, MANIFEST } from './first-load.mjs';

const TEXT = /\.(html|js|css|svg|json|txt)$/;
const dist = process.argv[2] ? resolve(process.argv[2]) : new URL('../../dist/', import.meta.url).pathname;

function* files(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}

// The minifier replaces `light-dark()` with variables that the page does not define.
const mangled = [...files(dist)].filter(
  (path) => path.endsWith('.css') && readFileSync(path, 'utf8').includes('--lightningcss-'),
);
if (mangled.length > 0) {
  console.error(`light-dark() does not survive the build; use a variable of src/app/theme.ts: ${mangled}`);
  process.exit(1);
}

const index = readFileSync(join(dist, 'index.html'), 'utf8');
// Only this program needs the manifest. The server does not serve it.
const manifest = JSON.parse(readFileSync(join(dist, MANIFEST), 'utf8'));
rmSync(join(dist, dirname(MANIFEST)), { recursive: true });
const sizes = new Map();
for (const path of [...files(dist)]) {
  const name = relative(dist, path);
  if (!TEXT.test(path)) {
    sizes.set(name, statSync(path).size);
    continue;
  }
  const packed = gzip(readFileSync(path), { level: 9, memLevel: 9 });
  writeFileSync(`${path}.gz`, packed);
  rmSync(path);
  sizes.set(name, packed.length);
}

check(manifest, index, sizes);
