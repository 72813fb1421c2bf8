import { expect, test } from 'vitest';
import { lineOf, locate } from './locate';

const text = JSON.stringify(
  {
    start: 'a"b',
    nodes: [
      { id: 'x', 'a/b': 1 },
      { id: 'y', list: [true, { deep: 'here' }] },
    ],
    end: null,
  },
  null,
  2,
);
const at = (pointer: string) => {
  const { from, to } = locate(text, pointer);
  return text.slice(from, to);
};

test('finds a pointer in the text', () => {
  expect(at('/start')).toBe('"a\\"b"');
  expect(at('/nodes/1/id')).toBe('"y"');
  expect(at('/nodes/1/list/1/deep')).toBe('"here"');
  expect(at('/nodes/0/a~1b')).toBe('1');
  expect(at('/end')).toBe('null');
});

test('falls back to the enclosing object of a missing value', () => {
  expect(JSON.parse(at('/nodes/0/next'))).toEqual({ id: 'x', 'a/b': 1 });
  expect(at('/nothing')).toBe(text);
  expect(at('')).toBe(text);
});

test('returns the line of a position', () => {
  expect(lineOf('a\nb\nc', 4)).toBe(3);
});
