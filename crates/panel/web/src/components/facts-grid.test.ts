import { expect, test } from 'vitest';
import { gridOf } from './facts-grid';

test('rows of figures have no gap', () => {
  for (let count = 1; count <= 20; count += 1) {
    const { columns, last } = gridOf(count);
    expect([(count - 1 + last) % columns, last <= columns]).toEqual([0, true]);
  }
  expect([5, 7, 8].map((it) => gridOf(it).columns)).toEqual([5, 4, 4]);
});
