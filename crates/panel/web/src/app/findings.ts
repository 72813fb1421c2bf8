import { texts } from '../i18n/texts';
import { isInspected } from '../inspect/kinds';
import type { Where } from './here';
import { isDeleted, mayWrite, type Place } from './places';
import { settingsFor, wingsFor } from './rooms';

const t = texts('shell');
const navigation = texts('navigation');

/** Somewhere to go. */
export interface Found {
  label: string;
  to: string;
  search?: Record<string, unknown>;
  /** Another workspace, instead of a page. */
  workspace?: string;
}

/** What a text may mean: an object's id, a page, an action, another workspace. */
export function findings(text: string, where: Where, all: Place[]): Found[] {
  const wanted = text.trim();
  const named = byId(wanted, where, all);
  if (named) return [named];
  const wings = [...wingsFor(where), ...settingsFor(where)];
  const pages = wings.flatMap(({ rooms }) => rooms.map(({ to, label }) => ({ label, to })));
  const others = all
    .filter((place) => place.live.id !== where.live.id)
    .map((place) => ({ label: switchTo(place), to: '/', workspace: place.live.id }));
  const has = ({ label }: Found) =>
    wanted
      .toLowerCase()
      .split(/\s+/)
      .every((word) => label.toLowerCase().includes(word));
  return [...pages, ...actions(where), ...others].filter(has);
}

function switchTo(place: Place): string {
  const { name: workspace } = place.live;
  return isDeleted(place) ? t('switchToDeleted', { workspace }) : t('switchTo', { workspace });
}

function actions({ administers, role }: Where): Found[] {
  const written: Found[] = [
    { label: navigation('actions.createFlow'), to: '/flows', search: { create: true } },
    { label: navigation('actions.createChannel'), to: '/channels', search: { create: true } },
    { label: navigation('actions.createReply'), to: '/settings/saved-replies', search: { create: true } },
    { label: navigation('actions.createSegment'), to: '/segments', search: { create: true } },
    { label: navigation('actions.createSequence'), to: '/sequences', search: { create: true } },
  ];
  if (!administers) return mayWrite(role) ? written : [];
  return [
    ...written,
    { label: navigation('actions.createWebhook'), to: '/webhooks', search: { create: true } },
    { label: navigation('actions.createSecret'), to: '/settings/secrets', search: { create: true } },
    { label: navigation('actions.createKey'), to: '/settings/api-keys', search: { create: true } },
    { label: navigation('actions.inviteMember'), to: '/settings/members', search: { invite: true } },
    { label: navigation('actions.simulateMessage'), to: '/developers/sandbox' },
  ];
}

function byId(id: string, where: Where, all: Place[]): Found | undefined {
  if (!/^[a-z]+_[0-9a-z]{20,}$/.test(id)) return undefined;
  const place = all.find((it) => it.live.id === id || it.sandbox?.id === id);
  if (place) return { label: switchTo(place), to: '/', workspace: id };
  const label = t('openId', { id });
  if (id.startsWith('req_') && where.administers) {
    return { label: t('findInLog', { id }), to: '/developers/log', search: { request_id: id, last: 'P30D' } };
  }
  if (id.startsWith('key_') && where.administers)
    return { label, to: '/settings/api-keys', search: { key: id } };
  if (/^(user|inv)_/.test(id) && where.administers) return { label, to: '/settings/members' };
  if (id.startsWith('conv_')) return { label, to: `/inbox/${id}` };
  if (id.startsWith('bcast_')) return { label, to: `/broadcasts/${id}` };
  if (id.startsWith('contact_')) return { label, to: `/contacts/${id}` };
  if (id.startsWith('hook_') && where.administers) return { label, to: `/webhooks/${id}` };
  if (id.startsWith('chan_')) return { label, to: '/channels', search: { channel: id } };
  if (id.startsWith('seg_')) return { label, to: '/segments', search: { open: id } };
  if (id.startsWith('job_')) return { label, to: '/developers/jobs', search: { job: id } };
  if (id.startsWith('reply_')) return { label, to: '/settings/saved-replies', search: { reply: id } };
  if (id.startsWith('flow_')) return { label, to: `/flows/${id}` };
  if (id.startsWith('seq_')) return { label, to: `/sequences/${id}` };
  return isInspected(id) ? { label, to: `/objects/${id}` } : undefined;
}
