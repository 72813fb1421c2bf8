import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const styles = 'node_modules/@mantine/core/styles';
const imported = readFileSync('src/app/mantine.css', 'utf8');

/** Components that are drawn by another one's style. */
const DRAWN_BY: Record<string, string> = {
  TextInput: 'Input',
  Textarea: 'Input',
  Select: 'Combobox',
  Box: 'global',
};

function sources(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('.tsx')).map((name) => readFileSync(`src/${name}`, 'utf8'));
}

test('each component in use has its style in the one list', () => {
  const used = new Set<string>();
  for (const text of sources()) {
    for (const [, names] of text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)) {
      for (const [, of, part] of text.matchAll(/<([A-Z]\w+)\.([A-Z]\w+)/g)) used.add(`${of}${part}`);
      for (const name of (names ?? '').split(',').map((it) => it.trim()))
        if (/^[A-Z]/.test(name)) used.add(name);
    }
  }
  const sheets = [...used]
    .map((name) => DRAWN_BY[name] ?? name)
    .filter((name) => existsSync(`${styles}/${name}.css`));
  expect(sheets.length).toBeGreaterThan(10);
  expect(sheets.filter((name) => !imported.includes(`/${name}.css"`))).toEqual([]);
});
