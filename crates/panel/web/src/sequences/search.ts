import { oneOf, text } from '../app/search-params';

/** The parts of a sequence's page, in the order of the tabs. */
export const TABS = ['steps', 'simulate', 'enrollments'] as const;
export type Tab = (typeof TABS)[number];

export interface SequenceSearch {
  tab?: Tab;
  /** The status of the listed enrollments. */
  status?: string;
  open?: string;
}

export function readSequenceSearch(search: Record<string, unknown>): SequenceSearch {
  return {
    tab: oneOf(TABS, search.tab),
    status: text(search.status),
    open: text(search.open),
  };
}
