import { oneOf, text } from '../app/search-params';
import { SPANS, type Span } from './spans';

/** The parts of a flow's page, in the order of the tabs. */
export const TABS = ['build', 'simulate', 'runs', 'statistics', 'versions', 'json'] as const;
export type Tab = (typeof TABS)[number];

/** The search parameters of a flow's page. */
export interface FlowSearch {
  tab?: Tab;
  /** The node selected on the canvas. In the list of runs, it filters the runs that are at this node. */
  node?: string;
  /** The status of the listed runs. */
  status?: string;
  /** The ID of the open run. */
  run?: string;
  /** The version that is shown, and the one to compare with. `0` is the draft. */
  version?: number;
  against?: number;
  /** The range of the statistics. The default is the whole time. */
  last?: Span;
  /** The name of the selected script. */
  script?: string;
}

const number = (it: unknown) => (typeof it === 'number' && Number.isInteger(it) && it >= 0 ? it : undefined);

export function readFlowSearch(search: Record<string, unknown>): FlowSearch {
  return {
    tab: oneOf(TABS, search.tab),
    node: text(search.node),
    status: text(search.status),
    run: text(search.run),
    version: number(search.version),
    against: number(search.against),
    last: oneOf(Object.keys(SPANS) as Span[], search.last),
    script: text(search.script),
  };
}
