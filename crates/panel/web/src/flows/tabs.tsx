import { lazy, Suspense } from 'react';
import { loadPart } from '../api/connection';
import { mayWrite, type Role } from '../app/places';
import { Waiting } from '../components/states';
import type { Versioned } from './api';
import { JsonPart } from './json';
import { type FlowSearch, TABS, type Tab } from './search';
import { VersionsPart } from './versions';
import type { Typed } from './written';

// The canvas is loaded with the first part that uses it.
const BuildPart = lazy(() => loadPart(() => import('./build/part')));
const SimulatePart = lazy(() => loadPart(() => import('./simulate')));
const StatisticsPart = lazy(() => loadPart(() => import('./statistics-part')));
const RunsPart = lazy(() => loadPart(() => import('./runs')));

export interface PartProps {
  read: Versioned;
  search: FlowSearch;
  show: (next: FlowSearch) => void;
  typed: Typed<Versioned> | undefined;
  setTyped: (typed: Typed<Versioned> | undefined) => void;
}

/** The parts for a role. Simulations need the right to write. */
export function tabsFor(role: Role): Tab[] {
  return TABS.filter((it) => it !== 'simulate' || mayWrite(role));
}

/** The part to show: the one in the address if the user may open it. */
export function shownTab(tab: Tab | undefined, role: Role): Tab {
  return tab && tabsFor(role).includes(tab) ? tab : 'build';
}

/** One part of a flow's page. */
export function FlowTabs({ tab, ...part }: PartProps & { tab: Tab }) {
  if (tab === 'versions') return <VersionsPart {...part} />;
  if (tab === 'json') return <JsonPart {...part} />;
  const Drawn = { build: BuildPart, simulate: SimulatePart, runs: RunsPart, statistics: StatisticsPart }[tab];
  return (
    <Suspense fallback={<Waiting />}>
      <Drawn {...part} />
    </Suspense>
  );
}
