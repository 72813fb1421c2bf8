import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiIn, value } from '../../api/client';
import { everyPage } from '../../api/pages';
import { useWhere } from '../../app/here';
import { useTags } from '../../conditions/use-fields';
import type { Names } from '../graph/summary';

const FRESH = 60_000;

/** The flows of the workspace, as options. */
export function useFlowChoices(enabled = true) {
  const { workspace } = useWhere();
  return useQuery({
    queryKey: ['flow-choices', workspace.id],
    enabled,
    staleTime: FRESH,
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        value(
          apiIn(workspace.id).GET('/api/v1/flows', { params: { query: { limit: 100, cursor } }, signal }),
        ),
      ),
  });
}

/** The sequences of the workspace, as options. */
export function useSequenceChoices(enabled = true) {
  const { workspace } = useWhere();
  return useQuery({
    queryKey: ['sequence-choices', workspace.id],
    enabled,
    staleTime: FRESH,
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        value(
          apiIn(workspace.id).GET('/api/v1/sequences', { params: { query: { limit: 100, cursor } }, signal }),
        ),
      ),
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
