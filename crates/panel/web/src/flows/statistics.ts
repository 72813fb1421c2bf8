import type { components } from '../api/schema';
import { number, compact as short } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Definition } from './definition';
import { edgeId } from './graph/graph';

const t = texts('flow-statistics');

export type FlowStatistics = components['schemas']['FlowStatistics'];
export type NodeStatistics = components['schemas']['NodeStatistics'];

/** The results of runs at a node, for its card. */
export interface Tally {
  entered: number;
  failed: number;
  waiting: number;
  /** The median stay in seconds, or `null` if no run left the node. */
  median: number | null;
}

/** The labels and relative widths of edges, by `edgeId`. */
export interface Shares {
  figures: Map<string, string>;
  /** The share of all runs that left the node, from 0 to 1. */
  weights: Map<string, number>;
}

/** The numbers of each card. They are zero for nodes that no run entered. */
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

/** The label and width of each edge: the share and number of runs that left its node through it. */
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

/** The number of times that runs left a node through any exit. */
export function leftOf(left: Record<string, number>): number {
  return Object.values(left).reduce((sum, it) => sum + it, 0);
}

/** The nodes with runs that the definition does not contain, from other versions. */
export function elsewhere(definition: Definition, nodes: NodeStatistics[]): NodeStatistics[] {
  const known = new Set(definition.nodes.map((it) => it.id));
  return nodes.filter((it) => !known.has(it.id));
}

/** A share as a percentage. Only 0 is shown as 0 %, and only 1 as 100 %. */
export function percent(share: number): string {
  const shown = (it: number) => number(it, { style: 'percent' });
  if (share > 0 && share < 0.01) return `< ${shown(0.01)}`;
  if (share < 1 && share > 0.99) return `> ${shown(0.99)}`;
  return shown(share);
}

/** A short number for a card: `1.2K`. */
export function compact(count: number): string {
  return count < 10_000 ? number(count) : short(count, { maximumFractionDigits: 1 });
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration with at most its two largest units: `2 d 3 h`, `12 s`. */
export function lasting(seconds: number): string {
  if (seconds < 60) {
    return t('spans.s', { number: seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds) });
  }
  const at = UNITS.findIndex(([, length]) => seconds >= length);
  const [unit, length] = UNITS[at] ?? UNITS[3];
  const [small, part] = UNITS[at + 1] ?? UNITS[3];
  const whole = Math.floor(seconds / length);
  const rest = Math.floor((seconds - whole * length) / part);
  const main = t(`spans.${unit}`, { number: whole });
  return rest > 0 && whole < 10 ? `${main} ${t(`spans.${small}`, { number: rest })}` : main;
}
