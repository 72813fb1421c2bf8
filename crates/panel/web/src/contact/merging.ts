import type { Contact } from './api';

/** What a merge does to the contact that stays, as the server decides it. */
export interface Merging {
  /** What it lacked: the name of an attribute or the key of a field, and the value. */
  gets: [string, string][];
  /** What both have, and only the one that stays keeps. */
  dropped: [string, string][];
  tags: string[];
  /** What one of the two refused holds for both. */
  stricter: ('unsubscribed' | 'blocked')[];
}

const ATTRIBUTES = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'external_id',
  'locale',
  'time_zone',
  'avatar_url',
] as const;

/** What comes of merging the one into the other. */
export function merging(gone: Contact, stays: Contact): Merging {
  const gets: [string, string][] = [];
  const dropped: [string, string][] = [];
  const look = (name: string, theirs: unknown, own: unknown) => {
    if (theirs === null || theirs === undefined) return;
    const text = typeof theirs === 'string' ? theirs : JSON.stringify(theirs);
    if (own === null || own === undefined) gets.push([name, text]);
    else if (JSON.stringify(own) !== JSON.stringify(theirs)) dropped.push([name, text]);
  };
  for (const name of ATTRIBUTES) look(name, gone[name], stays[name]);
  for (const [key, value] of Object.entries(gone.custom_fields)) look(key, value, stays.custom_fields[key]);
  const tags = gone.tags.filter((tag) => !stays.tags.some((own) => own.id === tag.id)).map((tag) => tag.name);
  const stricter: Merging['stricter'] = [];
  if (!gone.subscribed && stays.subscribed) stricter.push('unsubscribed');
  if (gone.status === 'blocked' && stays.status === 'active') stricter.push('blocked');
  return { gets, dropped, tags, stricter };
}
