import type { components } from '../api/schema';
import type { Attached } from '../attachments/attached';
import { typeOf } from '../attachments/message-type';
import type { Tone } from '../components/status';
import type { Condition } from '../conditions/grammar';
import type { Chosen } from '../provider-templates/api';

export type Broadcast = components['schemas']['ShownBroadcast'];
export type BroadcastStatus = components['schemas']['BroadcastStatus'];
export type Stats = components['schemas']['BroadcastStats'];

export type Audience = { segment_id: string } | Condition;

/** The message. Those of other types than texts and files have more members. */
export interface Said {
  type: string;
  text?: string | null;
  attachments?: Attached[] | null;
  quick_replies?: { title: string; payload?: string | null }[] | null;
  fallback?: { template: Chosen } | null;
}

/** The members of a broadcast that users edit. */
export interface Draft {
  name: string;
  audience: Audience;
  channel_id: string | null;
  message: Said;
  scheduled_at: string | null;
  time_zone: components['schemas']['BroadcastZone'];
  rate_per_minute: number | null;
}

/** The types of messages that the form edits. */
const EDITED = ['text', 'image', 'audio', 'video', 'file'];
export const isEdited = ({ type }: Said): boolean => EDITED.includes(type);

/** Changes the text or the files of a message. Its type follows from the files. */
export function withParts(message: Said, parts: { text?: string; attachments?: Attached[] }): Said {
  const text = parts.text ?? message.text ?? '';
  const files = parts.attachments ?? message.attachments ?? [];
  // The order of the members stays. Otherwise, an undone change would count as a change.
  const next: Said = { ...message, type: typeOf(files.map((it) => it.mime_type ?? '')) };
  if (text || files.length === 0) next.text = text;
  else delete next.text;
  if (files.length > 0) next.attachments = files;
  else delete next.attachments;
  return next;
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

/** A condition that matches all contacts. */
export const EVERYBODY: Condition = { all: [] };

/** The default audience: subscribed contacts. */
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

/** Whether the status can change without a user. The broadcast is then refreshed. */
export const isMoving = (status: BroadcastStatus): boolean => status === 'scheduled' || status === 'sending';

/** The number of recipients with an outcome: accepted, failed, uncertain or suppressed. */
export function doneOf({ sent, failed, suppressed, uncertain }: Stats): number {
  return sent + failed + suppressed + uncertain;
}

/** The progress in whole percent, rounded down: 100 only when all recipients have an outcome. */
export function percentOf(stats: Stats): number {
  if (stats.targeted === 0) return 0;
  return Math.min(100, Math.floor((doneOf(stats) / stats.targeted) * 100));
}

/** The number of contacts that would get the message. */
export function reachOf(preview: { contact_count: number; suppressed: Record<string, number> }): number {
  return preview.contact_count - Object.values(preview.suppressed).reduce((sum, it) => sum + it, 0);
}
