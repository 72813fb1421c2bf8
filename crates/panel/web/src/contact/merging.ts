import type { Contact } from './api';
import { TEXTS } from './draft';

/** The result of a merge for the remaining contact, by the rules of the server. */
export interface Merging {
  /** The values that it gains: the name of an attribute or the key of a field, and the value. */
  gets: [string, string][];
  /** The values that are discarded, because the remaining contact has its own. */
  dropped: [string, string][];
  tags: string[];
  /** Restrictions of either contact. They also apply to the remaining one. */
  stricter: ('unsubscribed' | 'blocked')[];
}

/** Previews merging `gone` into `stays`. */
export function merging(gone: Contact, stays: Contact): Merging {
  const gets: [string, string][] = [];
  const dropped: [string, string][] = [];
  const look = (name: string, theirs: unknown, own: unknown) => {
    if (theirs === null || theirs === undefined) return;
    const text = typeof theirs === 'string' ? theirs : JSON.stringify(theirs);
    if (own === null || own === undefined) gets.push([name, text]);
    else if (JSON.stringify(own) !== JSON.stringify(theirs)) dropped.push([name, text]);
  };
  for (const name of TEXTS) look(name, gone[name], stays[name]);
  for (const [key, value] of Object.entries(gone.custom_fields)) look(key, value, stays.custom_fields[key]);
  const tags = gone.tags.filter((tag) => !stays.tags.some((own) => own.id === tag.id)).map((tag) => tag.name);
  const stricter: Merging['stricter'] = [];
  if (!gone.subscribed && stays.subscribed) stricter.push('unsubscribed');
  if (gone.status === 'blocked' && stays.status === 'active') stricter.push('blocked');
  return { gets, dropped, tags, stricter };
}
