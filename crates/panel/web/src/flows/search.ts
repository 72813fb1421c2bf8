import { SPANS, type Span } from './spans';

/** The parts of a flow's page, in the order in which they stand. */
export const TABS = ['build', 'simulate', 'runs', 'statistics', 'versions', 'json'] as const;
export type Tab = (typeof TABS)[number];

/** What the address of a flow's page says. */
export interface FlowSearch {
  tab?: Tab;
  /** What is chosen on the canvas; of runs, those that are at it alone. */
  node?: string;
  /** Runs in this state alone. */
  status?: string;
  /** The run that is open. */
  run?: string;
  /** The version that is shown, and the one that it is compared with; `0` is the draft. */
  version?: number;
  against?: number;
  /** How far back statistics go; all of it where nothing is said. */
  last?: Span;
  /** The script that is played. */
  script?: string;
}

const text = (it: unknown) => (typeof it === 'string' && it !== '' ? it : undefined);
const number = (it: unknown) => (typeof it === 'number' && Number.isInteger(it) && it >= 0 ? it : undefined);

export function readFlowSearch(search: Record<string, unknown>): FlowSearch {
  return {
    tab: TABS.find((it) => it === search.tab),
    node: text(search.node),
    status: text(search.status),
    run: text(search.run),
    version: number(search.version),
    against: number(search.against),
    last: (Object.keys(SPANS) as Span[]).find((it) => it === search.last),
    script: text(search.script),
  };
}
