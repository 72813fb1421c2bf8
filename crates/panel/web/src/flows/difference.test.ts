import { expect, test } from 'vitest';
import { differenceOf, isSame } from './difference';

const say = (id: string, text: string, next: string) => ({
  id,
  type: 'send_message',
  message: { type: 'text', text },
  next,
});
const end = { id: 'end', type: 'end' };

test('reports added, removed and changed nodes with their changes', () => {
  const was = { start: 'a', nodes: [say('a', 'Hi', 'b'), say('b', 'Bye', 'end'), end] };
  const is = { start: 'a', nodes: [say('a', 'Hello', 'c'), say('c', 'More', 'end'), end] };
  expect(differenceOf(was, is)).toEqual({
    added: [{ id: 'c', type: 'send_message' }],
    removed: [{ id: 'b', type: 'send_message' }],
    changed: [
      {
        id: 'a',
        type: 'send_message',
        changes: [
          { attribute: 'message.text', was: 'Hi', is: 'Hello' },
          { attribute: 'next', was: 'b', is: 'c' },
        ],
      },
    ],
    rest: [],
    moved: false,
  });
});

test('reports changes outside of nodes, but not their positions', () => {
  const found = differenceOf(
    { start: 'a', nodes: [end], settings: { reentry: 'skip' } },
    { nodes: [end], start: 'end', settings: { reentry: 'restart' }, layout: { end: { x: 1, y: 2 } } },
  );
  expect(found.rest).toEqual([
    { attribute: 'start', was: 'a', is: 'end' },
    { attribute: 'settings.reentry', was: 'skip', is: 'restart' },
  ]);
  expect(found.moved).toBe(true);
});

test('compares branches one by one only if their number is equal', () => {
  const branch = (...next: string[]) => ({
    nodes: [{ id: 'x', type: 'branch', branches: next.map((it) => ({ when: { field: 'a' }, next: it })) }],
  });
  expect(differenceOf(branch('p', 'q'), branch('p', 'r')).changed[0]?.changes).toEqual([
    { attribute: 'branches.1.next', was: 'q', is: 'r' },
  ]);
  expect(differenceOf(branch('p'), branch('p', 'r')).changed[0]?.changes[0]?.attribute).toBe('branches');
});

test('ignores the order of members, and treats an invalid definition as empty', () => {
  expect(
    isSame(differenceOf({ nodes: [{ id: 'a', type: 'end' }] }, { nodes: [{ type: 'end', id: 'a' }] })),
  ).toBe(true);
  expect(isSame(differenceOf(null, 'x'))).toBe(true);
});

test('compares the members of a new object one by one', () => {
  const settings = (value: object) => ({ nodes: [end], ...value });
  expect(differenceOf(settings({}), settings({ settings: { expires_after: 'P7D' } })).rest).toEqual([
    { attribute: 'settings.expires_after', was: undefined, is: 'P7D' },
  ]);
  expect(differenceOf(settings({}), settings({ settings: {} })).rest).toEqual([
    { attribute: 'settings', was: undefined, is: {} },
  ]);
});
