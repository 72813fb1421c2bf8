import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { allIn, listIn } from '../api/lists';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { ofVersion, versioned } from '../api/versioned';
import type { Overlap } from '../webhooks/overlap';
import {
  type ConfigSchema,
  type ConfigValues,
  type MembersByPath,
  membersOf,
  objectOf,
  withRemovals,
} from './config-schema';

export type Channel = components['schemas']['Channel'];
export type CreateChannel = components['schemas']['CreateChannel'];
type UpdateChannel = components['schemas']['UpdateChannel'];
export type ChannelKind = Channel['kind'];
/** Handling of messages while the provider rejects the channel. */
export type WaitRule = Channel['while_disconnected'];

/** The members of a channel that users edit. Secrets are write-only, so they are empty at first. */
export interface ChannelDraft extends MembersByPath {
  name: string;
  is_default: boolean;
  while_disconnected: WaitRule;
  /** The time while the old secrets are still accepted. It is saved only with secrets. */
  overlap: Overlap;
}

export type ChannelType = Omit<components['schemas']['ChannelType'], 'config_schema' | 'secrets_schema'> & {
  config_schema: ConfigSchema;
  secrets_schema: ConfigSchema;
};

/** The members of a type that its forms need. */
export type ChannelSchemas = Pick<ChannelType, 'kind' | 'config_schema' | 'secrets_schema' | 'fixed'>;

/** Whether a channel is connected, but its provider has problems with it. */
export function hasProblems({ status, health }: Pick<Channel, 'status' | 'health'>): boolean {
  return status === 'connected' && health?.state === 'failing';
}

/** The name of the Telegram bot of a channel. */
export function botOf({ config }: Pick<Channel, 'config'>): string | undefined {
  const name = (config as Record<string, unknown>).bot_username;
  return typeof name === 'string' ? name : undefined;
}

/** The phone number of a WhatsApp channel; its ID until the channel is connected. */
export function numberOf({ config }: Pick<Channel, 'config'>): string | undefined {
  const { display_phone_number, phone_number_id } = config as Record<string, unknown>;
  return [display_phone_number, phone_number_id].find((it) => typeof it === 'string') as string | undefined;
}

/** The secrets that the server generated for a new channel, by name. It returns them only once. */
export function generatedSecrets(channel: Channel): Record<string, string> {
  return (channel as { secrets?: Record<string, string> }).secrets ?? {};
}

/** The number of an SMS channel; undefined for other types and for a messaging service. */
export function smsNumberOf({ config }: Pick<Channel, 'config'>): string | undefined {
  const { account_sid, from } = config as Record<string, unknown>;
  return typeof account_sid === 'string' && typeof from === 'string' ? from : undefined;
}

/** The URL of this server for the provider. Without the public URL of the server, it has the origin of the panel. */
export function inboundUrl(channel: Pick<Channel, 'inbound_url' | 'inbound_path'>): string {
  return channel.inbound_url ?? window.location.origin + channel.inbound_path;
}

/** Whether the server registers the inbound address of a channel. Users then need not copy it. */
export function isSetUp(channel: Pick<Channel, 'config'>): boolean {
  return [botOf, numberOf, smsNumberOf].some((of) => of(channel) !== undefined);
}

/** Whether an SMS channel sends by a messaging service. */
export function hasService({ config }: Pick<Channel, 'config'>): boolean {
  return typeof (config as Record<string, unknown>).messaging_service_sid === 'string';
}

/** All channel types, with the schemas of their configuration. */
export function useChannelTypes(ws: string) {
  return useQuery({
    queryKey: ['channel-types', ws],
    queryFn: async ({ signal }) =>
      (await apiIn(ws).GET('/api/v1/channel-types', { signal })).data as ChannelType[],
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const listOf = keys.channels;

/** The query of all channels of a workspace, oldest first. */
export const allChannels = (ws: string) =>
  queryOptions(
    allIn(ws, [...listOf(ws), 'all'], '/api/v1/channels', { sort: 'created_at' }, Number.POSITIVE_INFINITY),
  );

/** All channels of a workspace, refreshed regularly. */
export function useChannels(ws: string) {
  return useQuery({ ...allChannels(ws), refetchInterval: 15_000 });
}

/** Channels by words in the name and by status, newest first. */
export function useFoundChannels(ws: string, { q, status }: { q?: string; status?: Channel['status'] }) {
  return useInfiniteQuery({
    ...listIn(ws, [...listOf(ws), 'found', { q, status }], '/api/v1/channels', { query: { q, status } }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
}

/** A channel that is not among the listed ones. */
export function useChannel(ws: string, id: string | undefined) {
  return useQuery({
    queryKey: [...listOf(ws), 'one', id],
    enabled: id !== undefined,
    queryFn: ({ signal }) =>
      apiIn(ws).GET('/api/v1/channels/{id}', { params: { path: { id: id as string } }, signal }),
  });
}

/** Reads a channel's current version for the form. */
export async function readDraft(ws: string, id: string, type: ChannelSchemas) {
  const asked = apiIn(ws).raw.GET('/api/v1/channels/{id}', { params: { path: { id } } });
  const { channel, etag } = await versioned('channel', asked);
  return { draft: draftOf(channel, type), etag };
}

function draftOf(channel: Channel, type: ChannelSchemas): ChannelDraft {
  const { name, config, is_default, while_disconnected } = channel;
  const stored = config as unknown as ConfigValues;
  return {
    name,
    is_default,
    while_disconnected,
    overlap: 'PT24H',
    ...membersOf(type.config_schema, stored, 'config'),
    ...membersOf(type.secrets_schema, {}, 'secrets'),
  };
}

/** Creates a channel. Only this response contains the secret. */
export function useCreateChannel(ws: string) {
  return useChange((body: CreateChannel) => apiIn(ws).POST('/api/v1/channels', { body }), listOf(ws));
}

/** Saves the changes of a channel. Fails if another user changed it since. */
export function useSaveChannel(ws: string, id: string, { config_schema }: ChannelSchemas) {
  const client = useQueryClient();
  return async (changed: Partial<ChannelDraft>, etag: string) => {
    const { name, is_default, while_disconnected, overlap, ...members } = changed;
    const given = <T extends object>(object: T) => (Object.keys(object).length > 0 ? object : undefined);
    const config = given(withRemovals(config_schema, objectOf(members, 'config')));
    const secrets = given(objectOf(members, 'secrets'));
    const body: UpdateChannel = {
      name,
      is_default,
      while_disconnected,
      config: config as UpdateChannel['config'],
      secrets,
      overlap: secrets && overlap,
    };
    await apiIn(ws).PATCH('/api/v1/channels/{id}', { params: ofVersion(id, etag), body });
    await client.invalidateQueries({ queryKey: listOf(ws) });
  };
}

/** Connects or disconnects a channel. */
export function useSwitch(ws: string, id: string) {
  return useChange((to: 'connect' | 'disconnect') => {
    const how = { params: { path: { id } } };
    return to === 'connect'
      ? apiIn(ws).POST('/api/v1/channels/{id}/connect', how)
      : apiIn(ws).POST('/api/v1/channels/{id}/disconnect', how);
  }, listOf(ws));
}

/** Replaces the signing secret of a channel. Only this response contains the new one. */
export function useRotateSecret(ws: string, id: string) {
  return useChange(
    (overlap: Overlap) =>
      apiIn(ws).POST('/api/v1/channels/{id}/rotate-secret', { params: { path: { id } }, body: { overlap } }),
    listOf(ws),
  );
}

/** Checks whether the provider accepts messages of this channel. */
export function useTestChannel(ws: string, id: string) {
  return useChange(
    () => apiIn(ws).POST('/api/v1/channels/{id}/test', { params: { path: { id } } }),
    listOf(ws),
  );
}

/** Deletes a channel, with `force` even if other objects use it. */
export function useDeleteChannel(ws: string, id: string) {
  return useChange(
    (force: boolean) =>
      apiIn(ws).DELETE('/api/v1/channels/{id}', {
        params: { path: { id }, query: force ? { force: true } : undefined },
      }),
    listOf(ws),
  );
}

/** The messages sent through a channel, newest first. */
export function useCaptured(ws: string, id: string) {
  return useInfiniteQuery(
    listIn(ws, [...listOf(ws), id, 'captured'], '/api/v1/channels/{id}/captured', {
      query: { limit: 25 },
      path: { id },
    }),
  );
}

/** The requests of the provider that the server did not understand, newest first. A channel keeps at most 100. */
export function useUnparsed(ws: string, id: string) {
  return useQuery({
    queryKey: [...listOf(ws), id, 'unparsed'],
    queryFn: ({ signal }) =>
      apiIn(ws).GET('/api/v1/channels/{id}/unparsed', {
        params: { path: { id }, query: { limit: 100 } },
        signal,
      }),
  });
}
