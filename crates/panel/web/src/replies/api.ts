import { queryOptions, useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { allIn } from '../api/lists';
import type { components } from '../api/schema';
import type { Attached } from '../attachments/attached';

export type SavedReply = components['schemas']['SavedReply'];
export type ReplyDraft = Pick<SavedReply, 'name' | 'text'> & { attachments: Attached[] };

/** The query of all saved replies. There are at most 500. */
export const allReplies = (ws: string) =>
  queryOptions(allIn(ws, keys.savedReplies(ws), '/api/v1/saved-replies'));

/** Renders a text for a contact. */
export function useRendered(ws: string, template: string, contact: string) {
  return useQuery({
    queryKey: ['rendered', ws, template, contact],
    enabled: template !== '',
    queryFn: ({ signal }) => {
      const body = { template, contact_id: contact || undefined, vars: {} };
      return apiIn(ws).POST('/api/v1/templates/render', { body, signal });
    },
    placeholderData: (before) => before,
    retry: false,
  });
}
