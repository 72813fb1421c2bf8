import type { Workspace } from '../app/places';
import { type Channel, hasProblems } from '../channels/api';
import { connectSearch, sandboxesInUse } from '../channels/sandbox-use';
import type { Tone } from '../components/status';
import { texts } from '../i18n/texts';
import type { Count } from '../inbox/view-counts';
import type { Stored } from '../storage/bytes';
import type { Webhook } from '../webhooks/api';
import { healthOf } from '../webhooks/health';
import type { SandboxUse, SandboxUses } from './sandbox-uses';

const t = texts('home');

/** A problem that needs attention, and a link to it. */
export interface Concern {
  tone: Tone;
  word: string;
  says: string;
  to: string;
  search?: Record<string, unknown>;
}

interface Seen {
  webhooks: Pick<Webhook, 'status' | 'stats'>[];
  channels: Pick<Channel, 'id' | 'kind' | 'name' | 'is_default' | 'status' | 'health'>[];
  workspace: Pick<Workspace, 'live_workspace_id'>;
  /** Whether the user can create channels. */
  writes: boolean;
  /** Live objects on sandbox channels other than the default. */
  uses: SandboxUses;
  /** The number of dead letters, and whether the number is capped. */
  dead: number;
  moreDead: boolean;
  /** Open conversations that wait for a reply. */
  unanswered: Count;
  /** Flows with failed runs in the last day: the worst ones by name, and the number of others. */
  flows: { worst: FailingFlow[]; more: number };
  /**
   * Flows with a published version that uses a secret inside of an expression: some by name, and the total
   * number.
   */
  misuses: { named: { id: string; name: string }[]; total: number };
  /** The storage level: how near the stored text is to the plan's limit. */
  storage: Stored['level'];
}

export interface FailingFlow {
  id: string;
  name: string;
  failed: number;
}

export function concernsOf(seen: Seen): Concern[] {
  const { webhooks, channels, dead, moreDead, unanswered, flows, misuses, storage } = seen;
  const disabled = webhooks.filter((it) => it.status === 'disabled').length;
  const failing = webhooks.filter((it) => it.status === 'active' && healthOf(it.stats) === 'failing').length;
  const off = channels.filter((it) => it.status === 'disconnected').length;
  const troubled = channels.filter(hasProblems).length;
  const concern = (count: number, it: Concern) => (count > 0 ? [it] : []);
  return [
    ...storageConcerns(storage),
    ...concern(disabled, {
      tone: 'bad',
      word: t('statuses.disabled'),
      says: t('attention.disabled', { count: disabled }),
      to: '/webhooks',
      search: { state: 'disabled' },
    }),
    ...concern(off, {
      tone: 'bad',
      word: t('statuses.disconnected'),
      says: t('attention.disconnected', { count: off }),
      to: '/channels',
      search: { state: 'disconnected' },
    }),
    ...concern(troubled, {
      tone: 'bad',
      word: t('statuses.failing'),
      says: t('attention.troubled', { count: troubled }),
      to: '/channels',
      search: { state: 'connected' },
    }),
    ...concern(unanswered.count, {
      tone: 'wait',
      word: t('statuses.unanswered'),
      says: t(unanswered.more ? 'attention.unansweredAtLeast' : 'attention.unanswered', {
        count: unanswered.count,
      }),
      to: '/inbox',
      search: { view: 'waiting' },
    }),
    ...sandboxConcerns(seen),
    ...concernsOfUses('broadcast', seen.uses.broadcasts),
    ...concernsOfUses('flow', seen.uses.flows),
    ...concern(failing, {
      tone: 'wait',
      word: t('statuses.failing'),
      says: t('attention.failing', { count: failing }),
      to: '/webhooks',
      search: { state: 'active' },
    }),
    ...concern(dead, {
      tone: 'bad',
      word: t('statuses.deadLetter'),
      says: t(moreDead ? 'attention.deadAtLeast' : 'attention.dead', { count: dead }),
      to: '/developers/jobs',
    }),
    ...misuseConcerns(misuses),
    ...flowConcerns(flows),
  ];
}

/** A concern for each named flow, and one for the number of others. */
function misuseConcerns({ named, total }: Seen['misuses']): Concern[] {
  const one = { tone: 'bad' as const, word: t('statuses.fails') };
  const told = named.map(({ id, name }) => ({
    ...one,
    says: t('attention.misusesSecret', { flow: name, example: '{{ secrets.NAME }}' }),
    to: `/flows/${id}`,
  }));
  const more = total - named.length;
  return more > 0
    ? [...told, { ...one, says: t('attention.moreMisuses', { count: more }), to: '/flows' }]
    : told;
}

/** A live workspace with a sandbox channel as its default channel. */
function sandboxConcerns({ workspace, channels, writes }: Seen): Concern[] {
  return sandboxesInUse(workspace, channels, [null]).map(({ name }) => ({
    tone: 'wait',
    word: t('statuses.sandbox'),
    says: t('attention.sandboxDefault', { channel: name }),
    to: '/channels',
    search: connectSearch(channels, writes),
  }));
}

/** A concern for each of the first objects on sandbox channels, and one for the number of others. */
function concernsOfUses(type: 'broadcast' | 'flow', uses: SandboxUse[]): Concern[] {
  const one = { tone: 'wait' as const, word: t('statuses.sandbox') };
  const list = `/${type}s`;
  const told = uses.slice(0, MOST_USES).map(({ id, name, channel }) => ({
    ...one,
    says: t(`attention.onSandbox.${type}`, { name, channel }),
    to: `${list}/${id}`,
  }));
  const count = uses.length - told.length;
  return count > 0
    ? [...told, { ...one, says: t(`attention.moreOnSandbox.${type}`, { count }), to: list }]
    : told;
}

/** A workspace that has reached its storage limit or is near it. */
function storageConcerns(level: Stored['level']): Concern[] {
  if (level === 'ok') return [];
  const tone = level === 'full' ? 'bad' : 'wait';
  return [
    {
      tone,
      word: t(`statuses.${level}`),
      says: t(`attention.storage.${level}`),
      to: '/settings/storage',
    },
  ];
}

/** A concern for each of the worst flows, and one for the number of others. */
function flowConcerns({ worst, more }: Seen['flows']): Concern[] {
  const one = { tone: 'wait' as const, word: t('statuses.failed') };
  const told = worst.map(({ id, name, failed }) => ({
    ...one,
    says: t('attention.runsFailed', { count: failed, flow: name }),
    to: `/flows/${id}`,
    search: { tab: 'runs', status: 'failed' },
  }));
  if (more <= 0) return told;
  return [
    ...told,
    { ...one, says: t('attention.moreFlows', { count: more }), to: '/analytics', search: { last: 'P1D' } },
  ];
}

/** The most objects of a type on sandbox channels that are listed one by one. */
const MOST_USES = 3;
/** The most flows that are listed one by one. */
const MOST_FLOWS = 3;

/** The flows with the most failed runs, and the number of others with failed runs. */
export function failingOf(flows: { flow_id: string; runs: { failed: number } }[]) {
  const failing = flows
    .filter((it) => it.runs.failed > 0)
    .toSorted((a, b) => b.runs.failed - a.runs.failed)
    .map(({ flow_id: id, runs: { failed } }) => ({ id, failed }));
  return { worst: failing.slice(0, MOST_FLOWS), more: Math.max(0, failing.length - MOST_FLOWS) };
}
