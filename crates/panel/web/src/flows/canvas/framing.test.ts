import { expect, test } from 'vitest';
import type { Definition } from '../definition';
import { arranged } from '../graph/arrange';
import { graphOf } from '../graph/graph';
import { firstWish, fitWish, framed, isFar, isNarrow, READABLE, wordSize } from './framing';

const SIZE = { width: 900, height: 600 };
const NONE = new Set<string>();

/** A flow with `count` nodes in a row. */
function chain(count: number) {
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    type: 'note',
    text: '',
    next: at < count - 1 ? `n${at + 1}` : undefined,
  })) as Definition['nodes'];
  const { vertices, edges } = graphOf({ start: 'n0', nodes });
  return { vertices, layout: arranged({ vertices, edges }).at };
}

/** The position of a card on the screen. */
function onScreen(
  { vertices, layout }: ReturnType<typeof chain>,
  frame: ReturnType<typeof framed>,
  id: string,
) {
  const card = vertices.find((it) => it.id === id);
  const at = layout[id];
  if (!card || !at) throw new Error(`no card ${id}`);
  const { x, y, zoom } = frame;
  return {
    left: at.x * zoom + x,
    top: at.y * zoom + y,
    right: (at.x + card.width) * zoom + x,
    bottom: (at.y + card.height) * zoom + y,
  };
}

const isInside = (it: ReturnType<typeof onScreen>) =>
  it.left >= 0 && it.top >= 0 && it.right <= SIZE.width && it.bottom <= SIZE.height;

test('shows a whole short flow, at most at full size', () => {
  const flow = chain(3);
  const frame = framed(flow.vertices, flow.layout, SIZE, fitWish(true, NONE));
  expect(frame.zoom).toBe(1);
  for (const { id } of flow.vertices) expect(isInside(onScreen(flow, frame, id))).toBe(true);
});

test('fits the beginning of 62 nodes at a readable scale', () => {
  const flow = chain(62);
  const frame = framed(flow.vertices, flow.layout, SIZE, fitWish(true, NONE));
  expect(frame.zoom).toBe(READABLE);
  expect(wordSize(frame.zoom) * frame.zoom).toBeGreaterThanOrEqual(12);
  expect(isInside(onScreen(flow, frame, '@start'))).toBe(true);
  expect(isInside(onScreen(flow, frame, 'n0'))).toBe(true);
  expect(isInside(onScreen(flow, frame, 'n61'))).toBe(false);
});

test('a read-only canvas fits the whole flow, also with a selected card', () => {
  const flow = chain(14);
  for (const focus of [NONE, new Set(['n0'])]) {
    const frame = framed(flow.vertices, flow.layout, SIZE, fitWish(false, focus));
    expect(frame.zoom).toBeLessThan(READABLE);
    for (const { id } of flow.vertices) expect(isInside(onScreen(flow, frame, id))).toBe(true);
  }
});

test('shows the selected cards of a flow that does not fit', () => {
  const flow = chain(62);
  const frame = framed(flow.vertices, flow.layout, SIZE, fitWish(true, new Set(['n40', 'n42'])));
  for (const id of ['n40', 'n41', 'n42']) expect(isInside(onScreen(flow, frame, id))).toBe(true);
  expect(frame.zoom).toBeGreaterThanOrEqual(READABLE);
});

test('a read-only canvas opens with the whole flow, the editor at its beginning', () => {
  const flow = chain(7);
  const last = (editable: boolean) => {
    const frame = framed(flow.vertices, flow.layout, SIZE, firstWish(editable, NONE));
    return isInside(onScreen(flow, frame, 'n6'));
  };
  expect([last(false), last(true)]).toEqual([true, false]);
});

test('shows the beginning of a long flow with readable texts on a phone', () => {
  const phone = { width: 356, height: 420 };
  const flow = chain(12);
  expect([phone, SIZE].map(({ width }) => isNarrow(width))).toEqual([true, false]);
  const { zoom } = framed(flow.vertices, flow.layout, phone, firstWish(false, NONE));
  expect(zoom).toBeGreaterThanOrEqual(READABLE);
});

test('enlarges texts as the canvas shrinks, and hides ports at a small scale', () => {
  expect([1, 0.75, 0.5, 0.1].map(wordSize)).toEqual([14, 16, 24, 24]);
  expect([1, 0.7, 0.5].map(isFar)).toEqual([false, false, true]);
});
