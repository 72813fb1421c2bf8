import { lazy, Suspense } from 'react';
import { loadPart } from '../api/connection';
import { Waiting } from '../components/states';
import type { Versioned } from './api';
import { JsonPart } from './json';
import { RunsPart } from './runs';
import type { FlowSearch, Tab } from './search';
import { VersionsPart } from './versions';
import type { Typed } from './written';

const BuildPart = lazy(() => loadPart(() => import('./build/part')));

export interface PartProps {
  read: Versioned;
  search: FlowSearch;
  show: (next: FlowSearch) => void;
  typed: Typed<Versioned> | undefined;
  setTyped: (typed: Typed<Versioned> | undefined) => void;
}

/** The part that is shown where the address names none. */
export function shownTab(tab: Tab | undefined): Tab {
  return tab ?? 'build';
}

/** One part of a flow's page. */
export function FlowTabs({ tab, ...part }: PartProps & { tab: Tab }) {
  if (tab === 'runs') return <RunsPart {...part} />;
  if (tab === 'versions') return <VersionsPart {...part} />;
  if (tab === 'json') return <JsonPart {...part} />;
  return (
    <Suspense fallback={<Waiting />}>
      <BuildPart {...part} />
    </Suspense>
  );
}
