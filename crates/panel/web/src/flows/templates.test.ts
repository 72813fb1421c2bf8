import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TEMPLATES } from './templates';

test('each template equals its example in the documentation', () => {
  for (const { key, ...template } of TEMPLATES) {
    expect(JSON.parse(readFileSync(`../../../docs/examples/${key}.json`, 'utf8'))).toEqual(template);
  }
});
