import { expect, test } from 'vitest';
import type { Row } from './api';
import { merged, unique, unknown } from './merge';
import { aRow } from './testing';

const ids = (rows: Row[]) => rows.map((it) => it.request_id).join(' ');

test('adds new rows at the top, each once', () => {
  const known = [aRow('c', 3), aRow('b', 2), aRow('a', 1)];
  expect(ids(merged([aRow('e', 5), aRow('d', 4), aRow('c', 3)], known))).toBe('e d c b a');
});

test('sorts in a row that arrives late', () => {
  const known = [aRow('c', 3), aRow('a', 1)];
  expect(ids(merged([aRow('b', 2)], known))).toBe('c b a');
});

test('keeps the order of rows with the same time', () => {
  const known = [aRow('b', 2), aRow('a', 2)];
  expect(ids(merged([aRow('d', 2), aRow('c', 2)], known))).toBe('d c b a');
  expect(ids(merged([], known))).toBe('b a');
});

test('finds new rows, and removes duplicates', () => {
  const [a, b, c] = [aRow('a', 1), aRow('b', 2), aRow('c', 3)];
  expect(ids(unknown([c, b], [b, a]))).toBe('c');
  expect(ids(unique([c, b, c, a, b]))).toBe('c b a');
});
