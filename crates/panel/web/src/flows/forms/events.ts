import { useQuery } from '@tanstack/react-query';
import { apiIn, value } from '../../api/client';
import { useWhere } from '../../app/here';
import { pathsIn } from './variables';

/** The request that sends a custom event. */
export const EVENT_PATH = 'POST /contacts/{id}/events';

interface EventType {
  type: string;
  can_happen: boolean;
  example: unknown;
}

/** The events that a flow may listen for, and what each has to ask for. */
export function useEventTypes() {
  const { workspace } = useWhere();
  const { data } = useQuery({
    queryKey: ['event-types', workspace.id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await value(apiIn(workspace.id).GET('/api/v1/event-types', { signal }))).data as EventType[],
  });
  return {
    names: (data ?? []).filter((it) => it.can_happen).map((it) => it.type),
    pathsOf: (type: string | undefined) => pathsIn(data?.find((it) => it.type === type)?.example),
  };
}
