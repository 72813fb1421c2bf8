import type { Workspace } from '../app/places';
import type { Definition, Words } from '../flows/definition';
import type { Step } from '../sequences/steps';
import type { Channel } from './api';

/** The ID of a channel, or `null` for the workspace's default channel. */
export type ChannelChoice = string | null;

type Known = Pick<Channel, 'id' | 'kind' | 'name' | 'is_default'>;

/**
 * The sandbox channels that the choices use in a live workspace. In a sandbox workspace it is always empty.
 */
export function sandboxesInUse<It extends Known>(
  workspace: Pick<Workspace, 'live_workspace_id'>,
  channels: It[],
  choices: ChannelChoice[],
): It[] {
  if (workspace.live_workspace_id !== null) return [];
  const isUsed = (it: It) => choices.includes(it.id) || (it.is_default && choices.includes(null));
  return channels.filter((it) => it.kind === 'sandbox' && isUsed(it));
}

/**
 * The search parameters for a link to the channel list. They open the form if the workspace only has sandbox
 * channels.
 */
export function connectSearch(channels: Pick<Channel, 'kind'>[], mayCreate: boolean): { create?: true } {
  return mayCreate && channels.every((it) => it.kind === 'sandbox') ? { create: true } : {};
}

/** The channels of the messages, and those on which a keyword starts the flow. */
export function channelsOfFlow({
  nodes,
  triggers = [],
}: Pick<Definition, 'nodes' | 'triggers'>): ChannelChoice[] {
  const messages = nodes.flatMap((node): (Words | undefined)[] => {
    if (node.type === 'send_message') return [node.message];
    return node.type === 'ask' ? [node.message, node.invalid_message] : [];
  });
  const starts = triggers.flatMap((it) => (it.type === 'keyword' ? (it.channel_ids ?? []) : []));
  return [...new Set([...distinct(messages), ...starts])];
}

export function channelsOfSteps(steps: Pick<Step, 'action'>[]): ChannelChoice[] {
  return distinct(steps.flatMap(({ action }) => (action.type === 'send_message' ? [action.message] : [])));
}

function distinct(messages: (Words | undefined)[]): ChannelChoice[] {
  return [...new Set(messages.flatMap((it) => (it ? [it.channel_id ?? null] : [])))];
}
