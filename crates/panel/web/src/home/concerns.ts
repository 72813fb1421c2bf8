import type { Channel } from '../channels/api';
import type { Tone } from '../components/status';
import { en } from '../i18n/en';
import type { Webhook } from '../webhooks/api';
import { healthOf } from '../webhooks/health';

/** Something that somebody should look at, and where. */
export interface Concern {
  tone: Tone;
  word: string;
  says: string;
  to: string;
  search?: Record<string, unknown>;
}

interface Seen {
  webhooks: Pick<Webhook, 'status' | 'stats'>[];
  channels: Pick<Channel, 'status'>[];
  /** How many dead letters there are, and whether there are more than are counted. */
  dead: number;
  moreDead: boolean;
}

/** What needs attention, the worst first. */
export function concernsOf({ webhooks, channels, dead, moreDead }: Seen): Concern[] {
  const words = en.attention;
  const disabled = webhooks.filter((it) => it.status === 'disabled').length;
  const failing = webhooks.filter((it) => it.status === 'active' && healthOf(it.stats) === 'failing').length;
  const off = channels.filter((it) => it.status === 'disconnected').length;
  const concern = (count: number, it: Concern) => (count > 0 ? [it] : []);
  return [
    ...concern(disabled, {
      tone: 'bad',
      word: en.webhooks.states.disabled,
      says: words.disabled(disabled),
      to: '/webhooks',
      search: { state: 'disabled' },
    }),
    ...concern(off, {
      tone: 'bad',
      word: en.channels.states.disconnected,
      says: words.disconnected(off),
      to: '/channels',
      search: { state: 'disconnected' },
    }),
    ...concern(failing, {
      tone: 'wait',
      word: en.webhooks.healths.failing,
      says: words.failing(failing),
      to: '/webhooks',
      search: { state: 'active' },
    }),
    ...concern(dead, {
      tone: 'bad',
      word: en.jobs.putAside.toLowerCase(),
      says: words.dead(dead, moreDead),
      to: '/developers/jobs',
    }),
  ];
}
