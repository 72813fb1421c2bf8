import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cwd } from 'node:process';
import { expect, test } from 'vitest';
import { variables } from './theme';

const SOURCES = join(cwd(), 'src');
const sheets = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => ({ name, text: readFileSync(join(SOURCES, name), 'utf8') }));

test('no style sheet uses light-dark(), which the build replaces by undefined variables', () => {
  expect(sheets.length).toBeGreaterThan(20);
  expect(sheets.filter(({ text }) => text.includes('light-dark(')).map(({ name }) => name)).toEqual([]);
});

test('both colour schemes define the same variables', () => {
  const { light, dark } = variables({} as never);
  expect(Object.keys(dark)).toEqual(Object.keys(light));
});

test('the theme defines the colours that the canvas uses', () => {
  const { light } = variables({} as never);
  const board = sheets.find(({ name }) => name.endsWith('board.module.css'))?.text ?? '';
  const used = [...board.matchAll(/var\((--canvas[\w-]*)\)/g)].map(([, name]) => name);
  expect(used).toEqual(['--canvas-mask', '--canvas']);
  for (const name of [...used, '--canvas-dot']) expect(light).toHaveProperty([String(name)]);
});

test('shows keys in the font of the text, so only code loads another font', () => {
  const global = sheets.find(({ name }) => name.endsWith('global.css'))?.text ?? '';
  const rules = [...global.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    selector,
    body,
  }));
  const ofKeys = rules.filter(({ selector }) => /\bkbd\b/.test(selector));
  expect(ofKeys.map(({ body }) => /font-family: ([^;]+)/.exec(body)?.[1])).toEqual(['inherit']);
});
