import { useLocalStorage } from '@mantine/hooks';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useWhere } from '../app/here';
import { useAccount } from '../app/use-session';
import { type ActOn, actionsOf } from './actions';
import { loadedConversations } from './api';
import { drafts } from './drafts';
import { type Conversation, type InboxSearch, rowsOf } from './views';

/** Whether a resolve opens the next conversation. Stored in this browser for each user. */
export function useNextSetting(): [boolean, (isOn: boolean) => void] {
  const { user } = useAccount();
  const [isOn, set] = useLocalStorage({
    key: `tidings-inbox-next-${user.id}`,
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  return [isOn, set];
}

/** The conversation below another one in a list, or above it at the end of the list. */
export function neighbourOf(rows: Conversation[], id: string): string | undefined {
  const at = rows.findIndex((it) => it.id === id);
  return at < 0 ? undefined : (rows[at + 1] ?? rows[at - 1])?.id;
}

/**
 * After the user resolves the open conversation, opens the next one in the list, unless the composer contains
 * text or files.
 */
export function useNextAfterResolve(
  search: InboxSearch,
  open: string | undefined,
  go: (conversation: string) => void,
): void {
  const { workspace } = useWhere();
  const { user } = useAccount();
  const client = useQueryClient();
  const [isOn] = useNextSetting();
  const rows = () => loadedRows(client, workspace.id, search, user.id);
  const latest = useRef({ isOn, open, go, rows });
  latest.current = { isOn, open, go, rows };
  useEffect(() => {
    // Read the next row at once, because the list may change before the response.
    const next = new Map<number, string | undefined>();
    return client.getMutationCache().subscribe((event) => {
      if (event.type !== 'updated' || !isAction(event.mutation.options.mutationKey, workspace.id)) return;
      const { mutationId, state } = event.mutation;
      const { on, action } = state.variables as ActOn;
      if (action.do !== 'resolve') return;
      const { isOn, open, go, rows } = latest.current;
      if (event.action.type === 'pending') next.set(mutationId, neighbourOf(rows(), on.id));
      if (event.action.type !== 'success') return;
      const to = next.get(mutationId);
      next.delete(mutationId);
      if (to && isOn && open === on.id && !isBegun(on.id)) go(to);
    });
  }, [client, workspace.id]);
}

const isAction = (key: readonly unknown[] | undefined, ws: string) =>
  JSON.stringify(key) === JSON.stringify(actionsOf(ws));

function isBegun(conversation: string): boolean {
  const { text, quickReplies, files } = drafts.of(conversation);
  return text.trim() !== '' || quickReplies.length > 0 || files.length > 0;
}

function loadedRows(client: QueryClient, ws: string, search: InboxSearch, me: string) {
  return rowsOf(loadedConversations(client, ws, search, me), search);
}
