import { useWhere } from '../../app/here';
import { useEventTypes as useAllEventTypes } from '../../events/api';
import { pathsIn } from './variables';

/** The request that sends a custom event. */
export const EVENT_PATH = 'POST /contacts/{id}/events';

/** The events that a flow may listen for, and what each has to ask for. */
export function useEventTypes() {
  const { workspace } = useWhere();
  const { data } = useAllEventTypes(workspace.id);
  return {
    names: (data ?? []).filter((it) => it.can_happen).map((it) => it.type),
    pathsOf: (type: string | undefined) => pathsIn(data?.find((it) => it.type === type)?.example),
  };
}
