import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { refreshCounts, refreshLists } from '../live/conversations';
import { refreshSoon } from '../live/refresh';
import { keepConversation } from './api';
import type { Conversation } from './views';

export type Action =
  | { do: 'assign'; to: string | null }
  | { do: 'snooze'; until: string }
  | { do: 'resolve' }
  | { do: 'reopen' }
  | { do: 'read' };

/** An action and its conversation before the action. */
export interface ActOn {
  on: Conversation;
  action: Action;
}

/** The key of all actions in a workspace. */
export const actionsOf = (ws: string) => ['conversation-action', ws];

/** Runs an action on a conversation. Reading and assigning are shown before the response. */
export function useAct(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionsOf(ws),
    // The order matters: an assignment that arrives after a resolve reopens the conversation.
    scope: { id: `actions ${ws}` },
    mutationFn: ({ on, action }: ActOn) => perform(ws, on.id, action),
    onMutate: ({ on, action }) => {
      const ahead = foreseen(on, action);
      if (ahead) keepConversation(client, ws, ahead);
    },
    onSuccess: (now) => keepConversation(client, ws, now),
    onError: (_, { on }) => {
      keepConversation(client, ws, on);
      void client.invalidateQueries({ queryKey: [...keys.conversation(ws), on.id] });
    },
    onSettled: (_, error, { on, action }) => {
      // Reading a conversation removes it from no list and adds nothing to its timeline.
      if (action.do === 'read' && !error) {
        refreshCounts(client, ws);
        return;
      }
      refreshLists(client, ws);
      refreshSoon(client, [...keys.timelines(ws), on.contact_id]);
    },
  });
}

/** The expected result of an action that is shown before the response. */
export function foreseen(on: Conversation, action: Action): Conversation | undefined {
  if (action.do === 'read') return { ...on, unread_count: 0 };
  if (action.do === 'assign') return { ...on, assignee_id: action.to };
  return undefined;
}

export function perform(ws: string, id: string, action: Action): Promise<Conversation> {
  const params = { path: { id } };
  const api = apiIn(ws);
  switch (action.do) {
    case 'assign':
      return api.POST('/api/v1/conversations/{id}/assign', { params, body: { assignee_id: action.to } });
    case 'snooze':
      return api.POST('/api/v1/conversations/{id}/snooze', { params, body: { until: action.until } });
    case 'resolve':
      return api.POST('/api/v1/conversations/{id}/resolve', { params });
    case 'reopen':
      return api.POST('/api/v1/conversations/{id}/reopen', { params });
    case 'read':
      return api.POST('/api/v1/conversations/{id}/read', { params });
  }
}
