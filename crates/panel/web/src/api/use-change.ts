import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/** A mutation that then refreshes the queries with these key prefixes. */
export function useChange<Data, Variables = void>(
  mutationFn: (variables: Variables) => Promise<Data>,
  ...keys: QueryKey[]
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
