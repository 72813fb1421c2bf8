import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { keys } from '../../api/keys';
import { useWhere } from '../../app/here';

/** Asks the analyser again: an object that the flow names exists now. */
export function useRevalidate() {
  const client = useQueryClient();
  const { workspace } = useWhere();
  return useCallback(
    () => client.invalidateQueries({ queryKey: keys.flowValidation(workspace.id) }),
    [client, workspace.id],
  );
}
