import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiIn, value } from '../api/client';
import { pages } from '../api/pages';
import { problemOf } from '../api/problem';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';

export type Secret = components['schemas']['Secret'];
export type SecretValue = components['schemas']['SecretValue'];

const listOf = (ws: string) => ['secrets', ws];

/** The secrets of a workspace, without their values. */
export function useSecrets(ws: string) {
  return useInfiniteQuery(
    pages(listOf(ws), (cursor, signal) =>
      value(apiIn(ws).GET('/api/v1/secrets', { params: { query: { limit: 100, cursor } }, signal })),
    ),
  );
}

/** The tag of the version of a secret that is there now. */
async function tagOf(ws: string, name: string): Promise<string> {
  const asked = apiIn(ws).GET('/api/v1/secrets/{name}', { params: { path: { name } } });
  const { error, response } = await asked;
  if (!response.ok) throw problemOf(response, error);
  return response.headers.get('ETag') ?? '*';
}

interface Put {
  name: string;
  body: SecretValue;
  /** The secret that is replaced, as one saw it; nothing for a new one. */
  seen: Secret | undefined;
}

/** The version that a tag names: tags are `"<version>-<hash>"`. */
export function versionOf(etag: string): number {
  return Number(/^(?:W\/)?"(\d+)-/.exec(etag)?.[1]);
}

/** Makes a secret, or replaces the one that one saw: what another put there meanwhile stays. */
export function usePutSecret(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, body, seen }: Put) => {
      let condition: Record<string, string> = { 'If-None-Match': '*' };
      if (seen) {
        const tag = await tagOf(ws, name);
        // A version that is not the one of the form is refused by the service, as it must be.
        condition = { 'If-Match': versionOf(tag) === seen.version ? tag : `"${seen.version}-seen"` };
      }
      return value(
        apiIn(ws).PUT('/api/v1/secrets/{name}', { params: { path: { name }, header: condition }, body }),
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: listOf(ws) }),
  });
}

/** Deletes a secret; by force where flows name it. */
export function useDeleteSecret(ws: string) {
  return useChange(
    ({ name, force }: { name: string; force: boolean }) =>
      value(
        apiIn(ws).DELETE('/api/v1/secrets/{name}', {
          params: { path: { name }, query: force ? { force: true } : undefined },
        }),
      ),
    listOf(ws),
  );
}
