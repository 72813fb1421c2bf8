import { useWhere } from '../../app/here';
import { useEventTypes as useAllEventTypes } from '../../events/api';
import { pathsIn } from './variables';

/** The API request that sends a custom event. */
export const EVENT_PATH = 'POST /contacts/{id}/events';

/** The event types for flows, and the paths of the values in each. */
export function useEventTypes() {
  const { workspace } = useWhere();
  const { data } = useAllEventTypes(workspace.id);
  return {
    names: (data ?? []).filter((it) => it.can_happen).map((it) => it.type),
    pathsOf: (type: string | undefined) => pathsIn(data?.find((it) => it.type === type)?.example),
  };
}
