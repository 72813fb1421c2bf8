import type { components } from '../api/schema';
import type { Tone } from '../components/status';
import type { Condition } from '../conditions/grammar';

export type Broadcast = components['schemas']['ShownBroadcast'];
export type BroadcastStatus = components['schemas']['BroadcastStatus'];
export type Stats = components['schemas']['BroadcastStats'];

/** To whom it goes. */
export type Audience = { segment_id: string } | Condition;

/** What it says; of other types than text only what is common to all. */
export interface Said {
  type: string;
  text?: string | null;
  quick_replies?: { title: string; payload?: string | null }[] | null;
}

/** What people change of a draft. */
export interface Draft {
  name: string;
  audience: Audience;
  channel_id: string | null;
  message: Said;
  scheduled_at: string | null;
  time_zone: components['schemas']['BroadcastZone'];
  rate_per_minute: number | null;
}

export function draftOf(it: Broadcast): Draft {
  return {
    name: it.name,
    audience: it.audience as unknown as Audience,
    channel_id: it.channel_id,
    message: it.message as unknown as Said,
    scheduled_at: it.scheduled_at,
    time_zone: it.time_zone,
    rate_per_minute: it.rate_per_minute,
  };
}

export const segmentOf = (audience: Audience): string | undefined =>
  'segment_id' in audience ? audience.segment_id : undefined;

/** Everybody: a condition that asks for nothing. */
export const EVERYBODY: Condition = { all: [] };

/** Who wants to be written to: where an audience begins. */
export const SUBSCRIBED: Condition = { field: 'subscribed', op: 'eq', value: true };

export const TONES: Record<BroadcastStatus, Tone> = {
  draft: 'off',
  scheduled: 'wait',
  sending: 'wait',
  paused: 'wait',
  completed: 'ok',
  cancelled: 'off',
  failed: 'bad',
};

/** Whether something happens to it by itself, so that one looks again soon. */
export const isMoving = (status: BroadcastStatus): boolean => status === 'scheduled' || status === 'sending';

/** How many have an outcome: a message that was taken, failed or is uncertain, or none on purpose. */
export function doneOf({ sent, failed, suppressed, uncertain }: Stats): number {
  return sent + failed + suppressed + uncertain;
}

/** How far it is, in whole percent; done only when all are. */
export function percentOf(stats: Stats): number {
  if (stats.targeted === 0) return 0;
  return Math.min(100, Math.floor((doneOf(stats) / stats.targeted) * 100));
}

/** How many would get it: all but those who would get nothing, on purpose. */
export function reachOf(preview: { contact_count: number; suppressed: Record<string, number> }): number {
  return preview.contact_count - Object.values(preview.suppressed).reduce((sum, it) => sum + it, 0);
}
