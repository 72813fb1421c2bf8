import type { Point } from '../definition';
import type { Layout } from '../graph/arrange';
import { isStart, type Vertex } from '../graph/graph';

/** The visible part of the canvas: its offset in pixels and its scale. */
export interface Frame {
  x: number;
  y: number;
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The smallest scale at which the enlarged texts of cards are readable. */
export const READABLE = 0.5;
/** Below this scale the editor shows the beginning of the flow at `COMFORTABLE`. */
export const ROOMY = 0.68;
/** The smallest scale of the canvas. */
export const LEAST = 0.1;
const COMFORTABLE = 0.85;
const MARGIN = 32;
const FAR = 0.7;
/** A canvas below this width, in pixels, is on a phone. */
const NARROW = 480;

interface Wish {
  /** The smallest scale at which the whole flow is shown. */
  least: number;
  /** The scale if the whole flow does not fit. */
  otherwise: number;
  /** The cards to show if the whole flow does not fit. If empty, the beginning of the flow is shown. */
  focus: ReadonlySet<string>;
}

/** The frame on opening. The editor prefers texts of full size, other canvases the whole flow. */
export function firstWish(editable: boolean, focus: ReadonlySet<string>): Wish {
  return { least: editable ? ROOMY : READABLE, otherwise: COMFORTABLE, focus };
}

/**
 * The frame of "Fit the window". The editor shows a readable part of the flow, other canvases the whole flow.
 */
export function fitWish(editable: boolean, focus: ReadonlySet<string>): Wish {
  return { least: editable ? READABLE : LEAST, otherwise: READABLE, focus };
}

/** The frame for the whole flow, or for a readable part of it. */
export function framed(vertices: readonly Vertex[], layout: Layout, size: Size, wish: Wish): Frame {
  const all = boundsOf(vertices, layout);
  if (!all) return { x: 0, y: 0, zoom: 1 };
  const whole = Math.min(scaleOf(all, size), 1);
  if (whole >= wish.least) return centred(middleOf(all), size, whole);
  const chosen = boundsOf(
    vertices.filter(({ id }) => wish.focus.has(id)),
    layout,
  );
  if (chosen) {
    const zoom = Math.max(READABLE, Math.min(scaleOf(chosen, size), wish.otherwise));
    return centred(middleOf(chosen), size, zoom);
  }
  const start = boundsOf(vertices.filter(({ id }) => isStart(id)).slice(0, 1), layout) ?? all;
  const zoom = wish.otherwise;
  return { x: size.width / 2 - middleOf(start).x * zoom, y: MARGIN - start.top * zoom, zoom };
}

/** The text size of cards in pixels of the canvas. On the screen it is about 12 pixels at any scale. */
export function wordSize(zoom: number): number {
  return Math.min(Math.max(Math.round(12 / zoom), 14), 24);
}

/** Whether cards only show their title and summary. */
export function isFar(zoom: number): boolean {
  return zoom < FAR;
}

/** Whether the canvas is too narrow for a whole flow with readable texts. */
export function isNarrow(width: number): boolean {
  return width < NARROW;
}

interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function boundsOf(vertices: readonly Vertex[], layout: Layout): Bounds | undefined {
  const found = vertices.flatMap(({ id, width, height }) => {
    const at = layout[id];
    return at ? [{ left: at.x, top: at.y, right: at.x + width, bottom: at.y + height }] : [];
  });
  if (found.length === 0) return undefined;
  return {
    left: Math.min(...found.map((it) => it.left)),
    top: Math.min(...found.map((it) => it.top)),
    right: Math.max(...found.map((it) => it.right)),
    bottom: Math.max(...found.map((it) => it.bottom)),
  };
}

function scaleOf({ left, top, right, bottom }: Bounds, { width, height }: Size): number {
  return Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (bottom - top));
}

function middleOf({ left, top, right, bottom }: Bounds): Point {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

function centred({ x, y }: Point, { width, height }: Size, zoom: number): Frame {
  return { x: width / 2 - x * zoom, y: height / 2 - y * zoom, zoom };
}
