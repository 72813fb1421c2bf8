import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import type { components } from '../api/schema';
import type { Workspace } from '../app/places';
import type { Channel } from '../channels/api';
import { sandboxesInUse } from '../channels/sandbox-use';

type Broadcast = components['schemas']['Broadcast'];
type Sandbox = Pick<Channel, 'id' | 'name'>;

/** A live object that names a sandbox channel. */
export interface SandboxUse {
  id: string;
  name: string;
  /** The name of the channel. */
  channel: string;
}

/** The live objects on sandbox channels, by type. */
export interface SandboxUses {
  broadcasts: SandboxUse[];
  flows: SandboxUse[];
}

/** The statuses of a broadcast that sends messages now or at a set time. */
const LIVE = ['sending', 'scheduled'] as const;
/** The time without another request, in milliseconds. */
const FRESH = 60_000;
/** The most sandbox channels that are checked. */
const MOST_CHANNELS = 5;

/**
 * The live objects that name a sandbox channel other than the default: scheduled and sending broadcasts, and active
 * flows that start by a keyword there. Messages of sequences and of other flows name no channel. Empty in a sandbox
 * workspace and while they are loading.
 */
export function useSandboxUses(workspace: Workspace, channels: Channel[]): SandboxUses {
  const { id: ws } = workspace;
  const others = channels.filter((it) => !it.is_default).map((it) => it.id);
  const sandboxes = sandboxesInUse(workspace, channels, others).slice(0, MOST_CHANNELS);
  const ids = sandboxes.map((it) => it.id);
  const common = { enabled: ids.length > 0, staleTime: FRESH };
  const broadcasts = useQuery({
    ...common,
    queryKey: [...keys.broadcasts(ws), 'live'],
    queryFn: async ({ signal }) => {
      const pages = LIVE.map((status) =>
        apiIn(ws).GET('/api/v1/broadcasts', { params: { query: { status, limit: 100 } }, signal }),
      );
      return (await Promise.all(pages)).flatMap((page) => page.data);
    },
  });
  const flows = useQuery({
    ...common,
    queryKey: [...keys.flows(ws), 'on', ids],
    queryFn: async ({ signal }) => {
      const pages = sandboxes.map(async ({ id: channel_id, name: channel }) => {
        const query = { channel_id, limit: 100 };
        const { data } = await apiIn(ws).GET('/api/v1/flows', { params: { query }, signal });
        return data.map(({ id, name }) => ({ id, name, channel }));
      });
      return (await Promise.all(pages)).flat();
    },
  });
  return { broadcasts: broadcastsOn(sandboxes, broadcasts.data ?? []), flows: distinct(flows.data ?? []) };
}

/** The broadcasts that name one of the channels. */
function broadcastsOn(
  sandboxes: Sandbox[],
  broadcasts: Pick<Broadcast, 'id' | 'name' | 'channel_id'>[],
): SandboxUse[] {
  return broadcasts.flatMap(({ id, name, channel_id }) => {
    const channel = sandboxes.find((it) => it.id === channel_id);
    return channel ? [{ id, name, channel: channel.name }] : [];
  });
}

/** Each object once, with the first of its channels. */
const distinct = (uses: SandboxUse[]): SandboxUse[] =>
  uses.filter(({ id }, at) => uses.findIndex((it) => it.id === id) === at);
