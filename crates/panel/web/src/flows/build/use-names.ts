import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from '../../api/keys';
import { allIn } from '../../api/lists';
import { useWhere } from '../../app/here';
import { useTags } from '../../conditions/use-fields';
import type { Names } from '../graph/summary';

const FRESH = 60_000;

/** The flows of the workspace, as options. */
export function useFlowChoices(enabled = true) {
  const { workspace } = useWhere();
  return useQuery({
    ...allIn(workspace.id, [...keys.flows(workspace.id), 'all'], '/api/v1/flows'),
    enabled,
    staleTime: FRESH,
  });
}

/** The sequences of the workspace, as options. */
export function useSequenceChoices(enabled = true) {
  const { workspace } = useWhere();
  return useQuery({
    ...allIn(workspace.id, [...keys.sequences(workspace.id), 'all'], '/api/v1/sequences'),
    enabled,
    staleTime: FRESH,
  });
}

/** The names of flows, sequences and tags, by ID. */
export function useNames(): Names {
  const { data: flows } = useFlowChoices();
  const { data: sequences } = useSequenceChoices();
  const { data: tags } = useTags();
  return useMemo(
    () =>
      new Map([...(flows ?? []), ...(sequences ?? []), ...(tags ?? [])].map(({ id, name }) => [id, name])),
    [flows, sequences, tags],
  );
}
