import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiIn } from '../api/client';
import { session } from '../app/session';
import { isContactId, type Message } from './messages';

/** The polling intervals of an open sandbox, in milliseconds. */
const OFTEN = 2_000;
const SELDOM = 5_000;

/** The most messages in a list. */
export const LAST = 50;

const threadOf = (sandbox: string, conversation: string | null | undefined) => [
  'sandbox-thread',
  sandbox,
  conversation,
];

/** Creates the sandbox of a workspace and reloads the account, which contains it. */
export function useMakeSandbox(live: string) {
  return useMutation({
    mutationFn: async () => {
      await api.POST('/platform/workspaces/{ws}/sandbox', { params: { path: { ws: live } } });
      await session.reload();
    },
  });
}

/** The channel of a sandbox that sends nothing, or `null` if it was deleted. */
export function useSandboxChannel(sandbox: string) {
  return useQuery({
    queryKey: ['sandbox-channel', sandbox],
    queryFn: async ({ signal }) => {
      const { data } = await apiIn(sandbox).GET('/api/v1/channels', {
        params: { query: { limit: 100 } },
        signal,
      });
      const kinds = data.filter((it) => it.kind === 'sandbox');
      return kinds.find((it) => it.is_default) ?? kinds[0] ?? null;
    },
    staleTime: 60_000,
  });
}

/** The ID of the conversation with a contact on the sandbox channel, or `null` if there is none yet. */
export function useConversation(sandbox: string, contact: string, channel: string | undefined) {
  return useQuery({
    queryKey: ['sandbox-conversation', sandbox, channel, contact],
    enabled: contact !== '' && channel !== undefined,
    queryFn: async ({ signal }) => {
      const id = isContactId(contact) ? contact : await contactNamed(sandbox, contact, signal);
      if (!id) return null;
      const { data } = await apiIn(sandbox).GET('/api/v1/conversations', {
        params: { query: { contact_id: id, channel_id: channel, limit: 1 } },
        signal,
      });
      return data[0]?.id ?? null;
    },
    refetchInterval: ({ state }) => (state.data ? false : SELDOM),
  });
}

async function contactNamed(sandbox: string, name: string, signal: AbortSignal): Promise<string | undefined> {
  const { data } = await apiIn(sandbox).GET('/api/v1/contacts', {
    params: { query: { external_id: name, limit: 1 } },
    signal,
  });
  return data[0]?.id;
}

/** The last messages of a conversation, newest first. */
export function useThread(sandbox: string, conversation: string | null | undefined) {
  return useQuery({
    queryKey: threadOf(sandbox, conversation),
    enabled: Boolean(conversation),
    queryFn: async ({ signal }) => {
      const { data } = await apiIn(sandbox).GET('/api/v1/conversations/{id}/messages', {
        params: { path: { id: conversation ?? '' }, query: { limit: LAST, sort: '-created_at' } },
        signal,
      });
      return data;
    },
    refetchInterval: OFTEN,
  });
}

/** Simulates an incoming message. The response contains the ID of its conversation. */
export function usePlay(live: string, sandbox: string, channel: string | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { contact: string; text: string }) =>
      api.POST('/platform/workspaces/{ws}/sandbox/inbound', {
        params: { path: { ws: live } },
        body,
      }) as Promise<Message>,
    onSuccess: (played, { contact }) => {
      client.setQueryData(['sandbox-conversation', sandbox, channel, contact], played.conversation_id);
      void client.invalidateQueries({ queryKey: threadOf(sandbox, played.conversation_id) });
    },
  });
}

/** The captured outgoing messages, newest first. */
export function useOutbox(sandbox: string, channel: string | undefined) {
  return useQuery({
    queryKey: ['sandbox-outbox', sandbox, channel],
    enabled: channel !== undefined,
    queryFn: async ({ signal }) => {
      const { data } = await apiIn(sandbox).GET('/api/v1/channels/{id}/captured', {
        params: { path: { id: channel ?? '' }, query: { limit: LAST } },
        signal,
      });
      return data;
    },
    refetchInterval: OFTEN,
  });
}

/** The names of the messages' contacts, by ID. Only the newest contacts are read. */
export function useContactNames(sandbox: string, messages: Message[]): Map<string, string> {
  const ids = [...new Set(messages.map((it) => it.contact_id))].sort();
  const { data } = useQuery({
    queryKey: ['sandbox-contacts', sandbox, ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const { data } = await apiIn(sandbox).GET('/api/v1/contacts', {
        params: { query: { limit: 100 } },
        signal,
      });
      return new Map(data.flatMap((it) => nameOf(it)));
    },
    placeholderData: (before) => before,
    staleTime: 60_000,
  });
  return data ?? NOBODY;
}

const NOBODY = new Map<string, string>();

function nameOf(contact: {
  id: string;
  name: string | null;
  external_id: string | null;
}): [string, string][] {
  const name = contact.name ?? contact.external_id;
  return name ? [[contact.id, name]] : [];
}
