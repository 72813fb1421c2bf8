// Builds dist/ as ES modules and as CommonJS. npm runs it when it installs this folder, so it installs its own tools
// first.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('.', import.meta.url);
const run = (program, ...args) =>
  execFileSync(program, args, { cwd: fileURLToPath(folder), stdio: 'inherit', shell: process.platform === 'win32' });

if (!existsSync(new URL('node_modules/typescript', folder))) {
  run('npm', 'ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund');
}
rmSync(new URL('dist', folder), { recursive: true, force: true });
for (const settings of ['tsconfig.json', 'tsconfig.cjs.json']) {
  run(process.execPath, 'node_modules/typescript/bin/tsc', '--project', settings);
}
// The package is `"type": "module"`. This marks the files of this folder as CommonJS.
writeFileSync(new URL('dist/cjs/package.json', folder), '{ "type": "commonjs" }\n');
