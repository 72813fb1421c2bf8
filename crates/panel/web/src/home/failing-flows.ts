import { useQuery } from '@tanstack/react-query';
import { useAnalytics } from '../analytics/api';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { readFlow } from '../flows/api';
import { type FailingFlow, failingOf } from './concerns';

/** The flows with failed runs in the last day. Empty while they are loading. */
export function useFailingFlows(): { worst: FailingFlow[]; more: number } {
  const { workspace } = useWhere();
  const overview = useAnalytics(workspace.id, 'P1D', 'hour', workspace.time_zone).data;
  const { worst, more } = failingOf(overview?.by_flow ?? []);
  const ids = worst.map((it) => it.id).toSorted();
  const names = useQuery({
    queryKey: ['failing-flows', workspace.id, ids],
    enabled: ids.length > 0,
    staleTime: 60_000,
    queryFn: ({ signal }) => Promise.all(ids.map((id) => nameOf(workspace.id, id, signal))),
  }).data;
  // A deleted flow needs no attention.
  const named = worst.flatMap((it) => {
    const name = names?.[ids.indexOf(it.id)];
    return name ? [{ ...it, name }] : [];
  });
  return { worst: named, more };
}

async function nameOf(ws: string, id: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await readFlow(ws, id, signal)).flow.name;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}
