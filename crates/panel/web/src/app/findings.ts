import { texts } from '../i18n/texts';
import { isInspected } from '../inspect/kinds';
import type { Where } from './here';
import { isDeleted, mayWrite, type Place } from './places';
import { type Room, settingsFor, wingsFor } from './rooms';

const t = texts('search');
const navigation = texts('navigation');

export const GROUPS = [
  'ids',
  'pages',
  'actions',
  'workspaces',
  'contacts',
  'flows',
  'broadcasts',
  'segments',
  'sequences',
] as const;
export type Group = (typeof GROUPS)[number];

export interface Found {
  group: Group;
  label: string;
  /** A second line, such as the email address of a contact. */
  hint?: string;
  to: string;
  search?: Record<string, unknown>;
  /** The ID of another workspace, instead of a page. */
  workspace?: string;
}

/** The results for a text that need no request: an object by its ID, pages, actions and workspaces. */
export function findings(text: string, where: Where, all: Place[]): Found[] {
  const wanted = text.trim();
  const named = byId(wanted, where, all);
  if (named) return [named];
  const wings = [...wingsFor(where), ...settingsFor(where)];
  const rooms = wings.flatMap((it) => it.rooms);
  const pages = rooms.map(({ to, label }) => ({ group: 'pages' as const, label, to }));
  const settings = wanted === '' ? [] : rooms.flatMap(settingsOf);
  const others = all
    .filter((place) => place.live.id !== where.live.id)
    .map((place) => ({
      group: 'workspaces' as const,
      label: switchTo(place),
      to: '/',
      workspace: place.live.id,
    }));
  return [...pages, ...settings, ...actions(where), ...others].filter(({ label }) => hasWords(label, wanted));
}

/** The settings of a page, with its name. */
function settingsOf({ to, label, parts = [] }: Room): Found[] {
  return parts.map((it) => ({ group: 'pages', label: navigation(`parts.${it}`), hint: label, to }));
}

/** Whether a text contains each word. Ignores case and diacritics, like searches of the API. */
export function hasWords(text: string, wanted: string): boolean {
  const all = folded(text);
  return folded(wanted)
    .trim()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

const folded = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();

function switchTo(place: Place): string {
  const { name: workspace } = place.live;
  return isDeleted(place) ? t('switchToDeleted', { workspace }) : t('switchTo', { workspace });
}

function actions({ administers, role }: Where): Found[] {
  const create = { create: true };
  const written = [
    action('createFlow', '/flows', create),
    action('createChannel', '/channels', create),
    action('createReply', '/settings/saved-replies', create),
    action('createSegment', '/segments', create),
    action('createSequence', '/sequences', create),
  ];
  if (!administers) return mayWrite(role) ? written : [];
  return [
    ...written,
    action('createWebhook', '/webhooks', create),
    action('createSecret', '/settings/secrets', create),
    action('createKey', '/settings/api-keys', create),
    action('inviteMember', '/settings/members', { invite: true }),
    action('simulateMessage', '/developers/sandbox'),
  ];
}

type ActionName = Parameters<typeof navigation>[0] extends infer K
  ? K extends `actions.${infer N}`
    ? N
    : never
  : never;

function action(name: ActionName, to: string, search?: Found['search']): Found {
  return { group: 'actions', label: navigation(`actions.${name}`), to, search };
}

function byId(id: string, where: Where, all: Place[]): Found | undefined {
  if (!/^[a-z]+_[0-9a-z]{20,}$/.test(id)) return undefined;
  const place = all.find((it) => it.live.id === id || it.sandbox?.id === id);
  if (place) return { group: 'workspaces', label: switchTo(place), to: '/', workspace: id };
  const found = { group: 'ids' as const, label: t('openId', { id }) };
  if (id.startsWith('req_') && where.administers) {
    const search = { request_id: id, last: 'P30D' };
    return { ...found, label: t('findInLog', { id }), to: '/developers/log', search };
  }
  if (id.startsWith('key_') && where.administers)
    return { ...found, to: '/settings/api-keys', search: { key: id } };
  if (/^(user|inv)_/.test(id) && where.administers) return { ...found, to: '/settings/members' };
  if (id.startsWith('conv_')) return { ...found, to: `/inbox/${id}` };
  if (id.startsWith('bcast_')) return { ...found, to: `/broadcasts/${id}` };
  if (id.startsWith('contact_')) return { ...found, to: `/contacts/${id}` };
  if (id.startsWith('hook_') && where.administers) return { ...found, to: `/webhooks/${id}` };
  if (id.startsWith('chan_')) return { ...found, to: '/channels', search: { channel: id } };
  if (id.startsWith('seg_')) return { ...found, to: '/segments', search: { open: id } };
  if (id.startsWith('job_')) return { ...found, to: '/developers/jobs', search: { job: id } };
  if (id.startsWith('reply_')) return { ...found, to: '/settings/saved-replies', search: { open: id } };
  if (id.startsWith('flow_')) return { ...found, to: `/flows/${id}` };
  if (id.startsWith('seq_')) return { ...found, to: `/sequences/${id}` };
  return isInspected(id) ? { ...found, to: `/objects/${id}` } : undefined;
}
