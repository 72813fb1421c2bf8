import { expect, test } from 'vitest';
import { compared } from './compared';

test('compares the draft with the published version, and a version with the previous one', () => {
  expect(compared([3, 2, 1], true, undefined, undefined)).toEqual([0, 3]);
  expect(compared([3, 2, 1], false, undefined, undefined)).toEqual([3, 2]);
  expect(compared([3, 2, 1], false, 2, undefined)).toEqual([2, 1]);
  expect(compared([1], false, 1, undefined)).toEqual([1, 0]);
  expect(compared([3, 2, 1], false, 1, 3)).toEqual([1, 3]);
});
