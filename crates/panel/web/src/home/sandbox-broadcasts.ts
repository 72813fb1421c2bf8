import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import type { components } from '../api/schema';
import type { Workspace } from '../app/places';
import type { Channel } from '../channels/api';
import { sandboxesInUse } from '../channels/sandbox-use';

type Broadcast = components['schemas']['Broadcast'];

/** A live broadcast on a sandbox channel. */
export interface SandboxBroadcast {
  id: string;
  name: string;
  /** The name of the channel. */
  channel: string;
}

/** The statuses of a broadcast that sends messages now or at a set time. */
const LIVE = ['sending', 'scheduled'] as const;

/**
 * The scheduled and sending broadcasts that name a sandbox channel other than the default. In a sandbox workspace
 * and while they are loading it is empty.
 */
export function useSandboxBroadcasts(workspace: Workspace, channels: Channel[]): SandboxBroadcast[] {
  const others = channels.filter((it) => !it.is_default).map((it) => it.id);
  const sandboxes = sandboxesInUse(workspace, channels, others);
  const broadcasts = useQuery({
    queryKey: [...keys.broadcasts(workspace.id), 'live'],
    enabled: sandboxes.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const pages = LIVE.map((status) =>
        apiIn(workspace.id).GET('/api/v1/broadcasts', {
          params: { query: { status, limit: 100 } },
          signal,
        }),
      );
      return (await Promise.all(pages)).flatMap((page) => page.data);
    },
  }).data;
  return broadcastsOn(sandboxes, broadcasts ?? []);
}

/** The broadcasts that name one of the channels. */
export function broadcastsOn(
  sandboxes: Pick<Channel, 'id' | 'name'>[],
  broadcasts: Pick<Broadcast, 'id' | 'name' | 'channel_id'>[],
): SandboxBroadcast[] {
  return broadcasts.flatMap(({ id, name, channel_id }) => {
    const channel = sandboxes.find((it) => it.id === channel_id);
    return channel ? [{ id, name, channel: channel.name }] : [];
  });
}
