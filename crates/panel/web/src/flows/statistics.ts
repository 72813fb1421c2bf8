import type { components } from '../api/schema';
import type { Definition } from './definition';
import { edgeId } from './graph/graph';

export type FlowStatistics = components['schemas']['FlowStatistics'];
export type NodeStatistics = components['schemas']['NodeStatistics'];

/** What became of runs at a node, as its card shows it. */
export interface Tally {
  entered: number;
  failed: number;
  waiting: number;
  /** How long half of them stayed at the most; nothing where none left. */
  median: number | null;
}

/** What stands on edges, and how thick they are drawn, both by `edgeId`. */
export interface Shares {
  figures: Map<string, string>;
  /** From 0 to 1, of all that left the node. */
  weights: Map<string, number>;
}

/** What each card shows: nodes that no run came to have nothing but zeros. */
export function talliesOf(definition: Definition, nodes: NodeStatistics[]): Map<string, Tally> {
  const known = new Map(nodes.map((it) => [it.id, it]));
  return new Map(
    definition.nodes.map(({ id }) => {
      const it = known.get(id);
      const { entered = 0, failed = 0, waiting = 0, median_seconds: median = null } = it ?? {};
      return [id, { entered, failed, waiting, median }];
    }),
  );
}

/** What each edge shows: the share of those that left its node, and how many they were. */
export function sharesOf(nodes: NodeStatistics[]): Shares {
  const figures = new Map<string, string>();
  const weights = new Map<string, number>();
  for (const { id, left } of nodes) {
    const all = leftOf(left);
    for (const [exit, count] of Object.entries(left)) {
      if (count === 0) continue;
      figures.set(edgeId(id, exit), `${percent(count / all)} · ${compact(count)}`);
      weights.set(edgeId(id, exit), count / all);
    }
  }
  return { figures, weights };
}

/** How often runs left a node, by whichever exit. */
export function leftOf(left: Record<string, number>): number {
  return Object.values(left).reduce((sum, it) => sum + it, 0);
}

/** Nodes that runs were at, and that what is drawn does not have: those of other versions. */
export function elsewhere(definition: Definition, nodes: NodeStatistics[]): NodeStatistics[] {
  const known = new Set(definition.nodes.map((it) => it.id));
  return nodes.filter((it) => !known.has(it.id));
}

/** A share in hundredths; never none where it is some, nor all where it is not all. */
export function percent(share: number): string {
  if (share > 0 && share < 0.01) return '< 1 %';
  if (share < 1 && share > 0.99) return '> 99 %';
  return `${Math.round(share * 100)} %`;
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A number that has room on a card: `1.2K`. */
export function compact(count: number): string {
  return count < 10_000 ? count.toLocaleString('en') : COMPACT.format(count);
}

const UNITS: [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** A duration with its two largest units at the most: `2 d 3 h`, `12 s`. */
export function lasting(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
  const at = UNITS.findIndex(([, length]) => seconds >= length);
  const [unit, length] = UNITS[at] ?? ['s', 1];
  const [small, part] = UNITS[at + 1] ?? ['s', 1];
  const whole = Math.floor(seconds / length);
  const rest = Math.floor((seconds - whole * length) / part);
  return rest > 0 && whole < 10 ? `${whole} ${unit} ${rest} ${small}` : `${whole} ${unit}`;
}
