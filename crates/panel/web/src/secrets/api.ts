import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { listIn } from '../api/lists';
import { problemOf } from '../api/problem';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';

export type Secret = components['schemas']['Secret'];
export type SecretValue = components['schemas']['SecretValue'];

const listOf = (ws: string) => ['secrets', ws];

/** The secrets of a workspace, without their values. */
export function useSecrets(ws: string) {
  return useInfiniteQuery(listIn(ws, listOf(ws), '/api/v1/secrets'));
}

/** The `ETag` of a secret's current version. */
async function tagOf(ws: string, name: string): Promise<string> {
  const asked = apiIn(ws).raw.GET('/api/v1/secrets/{name}', { params: { path: { name } } });
  const { error, response } = await asked;
  if (!response.ok) throw problemOf(response, error);
  return response.headers.get('ETag') ?? '*';
}

interface Put {
  name: string;
  body: SecretValue;
  /** The secret to replace, as the user saw it. Absent for a new secret. */
  seen: Secret | undefined;
}

/** The version in an `ETag` of the form `"<version>-<hash>"`. */
export function versionOf(etag: string): number {
  return Number(/^(?:W\/)?"(\d+)-/.exec(etag)?.[1]);
}

/** Creates a secret, or replaces the version that the user saw. Fails if another user changed it since. */
export function usePutSecret(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, body, seen }: Put) => {
      let condition: Record<string, string> = { 'If-None-Match': '*' };
      if (seen) {
        const tag = await tagOf(ws, name);
        // If the secret has changed since the form was opened, send a condition that the server rejects.
        condition = { 'If-Match': versionOf(tag) === seen.version ? tag : `"${seen.version}-seen"` };
      }
      return apiIn(ws).PUT('/api/v1/secrets/{name}', { params: { path: { name }, header: condition }, body });
    },
    onSettled: () => client.invalidateQueries({ queryKey: listOf(ws) }),
  });
}

/** Deletes a secret, with `force` even if flows use it. */
export function useDeleteSecret(ws: string) {
  return useChange(
    ({ name, force }: { name: string; force: boolean }) =>
      apiIn(ws).DELETE('/api/v1/secrets/{name}', {
        params: { path: { name }, query: force ? { force: true } : undefined },
      }),
    listOf(ws),
  );
}
