/** The parts of a sequence's page, in the order of the tabs. */
export const TABS = ['steps', 'simulate', 'enrollments'] as const;
export type Tab = (typeof TABS)[number];

export interface SequenceSearch {
  tab?: Tab;
  /** The status of the listed enrollments. */
  status?: string;
  open?: string;
}

const text = (it: unknown) => (typeof it === 'string' && it !== '' ? it : undefined);

export function readSequenceSearch(search: Record<string, unknown>): SequenceSearch {
  return {
    tab: TABS.find((it) => it === search.tab),
    status: text(search.status),
    open: text(search.open),
  };
}
