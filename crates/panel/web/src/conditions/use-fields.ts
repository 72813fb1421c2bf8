import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from '../api/keys';
import { allIn } from '../api/lists';
import { useWhere } from '../app/here';
import { allChannels } from '../channels/api';
import { type Field, fieldsOf } from './fields';

/** The most tags that are listed. Other tags can be entered by name. */
const MOST_TAGS = 1_000;

/** One minute. Fields change rarely, and a page that changes them refreshes the queries. */
const FRESH = 60_000;

export function useTags() {
  const { workspace } = useWhere();
  return useQuery({
    ...allIn(workspace.id, keys.tags(workspace.id), '/api/v1/tags', { sort: 'name' }, MOST_TAGS),
    staleTime: FRESH,
  });
}

export function useCustomFields(enabled = true) {
  const { workspace } = useWhere();
  return useQuery({
    ...allIn(workspace.id, keys.customFields(workspace.id), '/api/v1/custom-fields', { sort: 'created_at' }),
    enabled,
    staleTime: FRESH,
  });
}

export function useBotFields() {
  const { workspace } = useWhere();
  return useQuery({
    ...allIn(workspace.id, keys.botFields(workspace.id), '/api/v1/bot-fields', { sort: 'created_at' }),
    staleTime: FRESH,
  });
}

export function useChannels() {
  const { workspace } = useWhere();
  return useQuery({ ...allChannels(workspace.id), staleTime: FRESH });
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
