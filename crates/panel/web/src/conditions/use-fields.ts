import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiIn, value } from '../api/client';
import { keys } from '../api/keys';
import { everyPage } from '../api/pages';
import { useWhere } from '../app/here';
import { type Field, fieldsOf } from './fields';

/** The most tags that are listed. Other tags can be entered by name. */
const MOST_TAGS = 1_000;

/** One minute. Fields change rarely, and a page that changes them refreshes the queries. */
const FRESH = 60_000;

export function useTags() {
  const { workspace } = useWhere();
  const api = apiIn(workspace.id);
  return useQuery({
    queryKey: keys.tags(workspace.id),
    staleTime: FRESH,
    queryFn: ({ signal }) =>
      everyPage(
        (cursor) =>
          value(api.GET('/api/v1/tags', { params: { query: { limit: 100, sort: 'name', cursor } }, signal })),
        MOST_TAGS,
      ),
  });
}

export function useCustomFields(enabled = true) {
  const { workspace } = useWhere();
  const api = apiIn(workspace.id);
  return useQuery({
    queryKey: keys.customFields(workspace.id),
    enabled,
    staleTime: FRESH,
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        value(
          api.GET('/api/v1/custom-fields', {
            params: { query: { limit: 100, sort: 'created_at', cursor } },
            signal,
          }),
        ),
      ),
  });
}

export function useBotFields() {
  const { workspace } = useWhere();
  const api = apiIn(workspace.id);
  return useQuery({
    queryKey: keys.botFields(workspace.id),
    staleTime: FRESH,
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        value(
          api.GET('/api/v1/bot-fields', {
            params: { query: { limit: 100, sort: 'created_at', cursor } },
            signal,
          }),
        ),
      ),
  });
}

export function useChannels() {
  const { workspace } = useWhere();
  const api = apiIn(workspace.id);
  return useQuery({
    queryKey: ['channels', 'all', workspace.id],
    staleTime: FRESH,
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        value(
          api.GET('/api/v1/channels', {
            params: { query: { limit: 100, sort: 'created_at', cursor } },
            signal,
          }),
        ),
      ),
  });
}

/** All fields that a condition can use in the workspace. `undefined` until they are loaded. */
export function useConditionFields(): { fields: Field[] | undefined; error: unknown; retry: () => void } {
  const all = [useTags(), useCustomFields(), useBotFields(), useChannels()] as const;
  const [{ data: tags }, { data: customFields }, { data: botFields }, { data: channels }] = all;
  const fields = useMemo(
    () =>
      tags && customFields && botFields && channels && fieldsOf({ tags, customFields, botFields, channels }),
    [tags, customFields, botFields, channels],
  );
  return {
    fields,
    error: all.find(({ error }) => error)?.error ?? null,
    retry: () => {
      for (const it of all) if (it.error) void it.refetch();
    },
  };
}
