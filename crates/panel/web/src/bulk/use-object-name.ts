import { useCustomFields, useTags } from '../conditions/use-fields';
import { useFlowChoices, useSequenceChoices } from '../flows/build/use-names';
import type { BulkOperation } from './api';

type Action = { type: BulkOperation['action']['type'] } & Partial<BulkOperation['action']>;

/** The name of an action's object. `undefined` while it is loading, `null` if the object was deleted. */
export function useObjectName(action: Action): string | null | undefined {
  const tags = useTags().data;
  const fields = useCustomFields(action.field !== undefined).data;
  const sequences = useSequenceChoices(action.sequence_id !== undefined).data;
  const flows = useFlowChoices(action.flow_id !== undefined).data;
  const named = (all: { id: string; name: string }[] | undefined, of: string) =>
    all && (all.find(({ id }) => id === of)?.name ?? null);
  if (action.tag_id) return named(tags, action.tag_id);
  if (action.sequence_id) return named(sequences, action.sequence_id);
  if (action.flow_id) return named(flows, action.flow_id);
  // For a deleted custom field, the key identifies it.
  return fields?.find(({ key }) => key === action.field)?.name ?? action.field;
}
