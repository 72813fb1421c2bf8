import { expect, test } from 'vitest';
import { keyAction, step } from './keys';

const press = (key: string, but = {}) =>
  keyAction({ key, ctrlKey: false, metaKey: false, altKey: false, ...but }, 'page');

test('maps letters to actions, and leaves Ctrl to the browser', () => {
  expect([press('j'), press('?'), press('e'), press('q')]).toEqual(['next', 'help', 'end', undefined]);
  // Outside the list, the arrow keys scroll.
  expect(press('ArrowUp')).toBeUndefined();
  expect(press('r', { ctrlKey: true })).toBeUndefined();
});

test('stops at the ends of the list', () => {
  expect([step(0, 'next', 3), step(2, 'next', 3), step(0, 'previous', 3), step(1, 'last', 3)]).toEqual([
    1,
    undefined,
    undefined,
    2,
  ]);
  expect(step(1, 'reply', 3)).toBeUndefined();
});
