import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useWhere } from '../app/here';
import type { Simulated } from '../simulation/story';
import { type Flow, flowOf, readFlow, type Versioned } from './api';
import { useNames } from './build/use-names';
import { asDefinition, type Definition } from './definition';
import type { Names } from './graph/summary';
import { labelsOf, type NodeLabels } from './node-labels';
import { useVersions } from './versions-api';

const NONE: NodeLabels = new Map();

/** The labels of the nodes of a flow. */
export interface FlowLabels {
  /** The labels of a version. Until the versions are loaded, the labels of the draft. */
  of: (version: number) => NodeLabels;
  draft: NodeLabels;
}

/** The labels of the nodes of a flow in its draft and its versions. Versions are loaded down to the oldest of `used`. */
export function useVersionLabels({ id, definition, version_published }: Flow, used: number[]): FlowLabels {
  const { workspace } = useWhere();
  const names = useNames();
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = useVersions(
    workspace.id,
    id,
    version_published,
  );
  const loaded = data?.pages.at(-1)?.data.at(-1)?.number;
  const oldest = Math.min(...used);
  useEffect(() => {
    const isOlder = loaded !== undefined && oldest < loaded;
    if (isOlder && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [loaded, oldest, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
  return useMemo(() => {
    const labels = remembered((it: unknown) => labelsOf(asDefinition(it), { nodes: [] }, names)[0]);
    const versions = new Map(
      data?.pages.flatMap((page) => page.data).map((it) => [it.number, it.definition]),
    );
    const of = (version: number) => {
      if (!data) return labels(definition);
      return versions.has(version) ? labels(versions.get(version)) : NONE;
    };
    return { of, draft: labels(definition) };
  }, [data, definition, names]);
}

/** Returns the labels of the nodes of a flow in a simulation, by the ID of the flow. */
export type SimulatedLabels = (flow: string) => NodeLabels;

/** The labels of the nodes in a simulation. `own` is the simulated flow; none for a sequence. */
export function useSimulatedLabels(
  names: Names,
  simulation: Simulated | undefined,
  own?: { id: string; definition: Definition },
): SimulatedLabels {
  const { workspace } = useWhere();
  const { id, definition } = own ?? {};
  const visited = simulation?.trace.flatMap((it) => (it.type === 'node' ? [it.flow_id] : [])) ?? [];
  const others = useQueries({
    queries: [...new Set(visited)]
      .filter((flow) => flow !== id)
      .map((flow) => ({
        queryKey: flowOf(workspace.id, flow),
        queryFn: ({ signal }: { signal: AbortSignal }) => readFlow(workspace.id, flow, signal),
        staleTime: 60_000,
      })),
    combine: flowsIn,
  });
  return useMemo(
    () =>
      remembered((flow: string) => {
        const found = others.find((it) => it.id === flow)?.definition;
        const drawn = flow === id && definition ? definition : asDefinition(found);
        return labelsOf(drawn, { nodes: [] }, names)[0];
      }),
    [id, definition, others, names],
  );
}

const flowsIn = (all: { data?: Versioned }[]) => all.flatMap(({ data }) => (data ? [data.flow] : []));

/** Remembers the results of a function by its argument. */
function remembered<Of, Result>(read: (of: Of) => Result): (of: Of) => Result {
  const known = new Map<Of, Result>();
  return (of) => {
    const result = known.get(of) ?? read(of);
    known.set(of, result);
    return result;
  };
}
