import { useMemo } from 'react';
import { useChannels } from '../channels/api';
import { useCustomFields, useTags } from '../conditions/use-fields';
import { useNamed } from '../contact/api';
import { nameOf, useContacts } from '../inbox/people';
import { useSegments } from '../segments/api';
import type { Names } from '../usage/api';
import { useWebhooks } from '../webhooks/api';
import type { AuditEntry } from './api';

/** Returns the name of an object by its ID, if a list of the workspace contains it. */
export type NameOfObject = (id: string) => string | undefined;

/** The names of the objects in entries. For some objects the log contains only IDs. */
export function useObjectNames(ws: string, entries: AuditEntry[], actors: Names | undefined): NameOfObject {
  const { flows, sequences, broadcasts } = useNamed(ws);
  const channels = useChannels(ws).data;
  const segments = useSegments(ws).data;
  const tags = useTags().data;
  const fields = useCustomFields().data;
  const webhooks = useWebhooks(ws, true).data;
  const contact = useContacts(ws, contactsOf(entries));
  const names = useMemo(() => {
    const named = [flows, sequences, broadcasts, channels, segments, tags, fields, actors?.keys];
    const pairs = named.flatMap((list) => (list ?? []).map(({ id, name }): [string, string] => [id, name]));
    const hooks = (webhooks ?? []).map((it): [string, string] => [it.id, it.description || it.url]);
    return new Map([...pairs, ...hooks, ...Object.entries(actors?.people ?? {})]);
  }, [flows, sequences, broadcasts, channels, segments, tags, fields, webhooks, actors]);
  return (id) => {
    const known = contact(id);
    return known ? nameOf(known, id) : names.get(id);
  };
}

function contactsOf(entries: AuditEntry[]): string[] {
  return entries.flatMap(({ object }) => (object.type === 'contact' && object.id ? [object.id] : []));
}

/** Replaces the IDs in an attribute's value with names. */
export function withNames(value: unknown, names: NameOfObject): unknown {
  if (typeof value === 'string') return names(value) ?? value;
  if (Array.isArray(value)) return value.map((it) => withNames(it, names));
  return value;
}
