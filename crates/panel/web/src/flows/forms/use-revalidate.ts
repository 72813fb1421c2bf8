import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { keys } from '../../api/keys';
import { useWhere } from '../../app/here';

/** Returns a function that validates the flow again after an object was created. */
export function useRevalidate() {
  const client = useQueryClient();
  const { workspace } = useWhere();
  return useCallback(
    () => client.invalidateQueries({ queryKey: keys.flowValidation(workspace.id) }),
    [client, workspace.id],
  );
}
