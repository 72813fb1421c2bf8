import {
  IconActivity,
  IconAddressBook,
  IconApi,
  IconBuildingStore,
  IconChartLine,
  IconDatabase,
  IconFlask,
  IconForms,
  IconHistory,
  IconHome,
  IconInbox,
  IconKey,
  IconListDetails,
  IconListNumbers,
  IconLock,
  IconMailOff,
  IconMessage2,
  IconPlug,
  IconRobot,
  IconSitemap,
  IconSpeakerphone,
  IconTag,
  IconUser,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import { loadPart } from '../api/connection';
import { en } from '../i18n/en';
import { segments } from '../i18n/en/segments';
import { sequences } from '../i18n/en/sequences';
import { storage } from '../i18n/en/storage';
import type { Where } from './here';

/** A page in the rail. */
export interface Room {
  to: string;
  label: string;
  icon: typeof IconHome;
  /** Who sees it; everybody, where nothing is said. */
  for?: (where: Where) => boolean;
  /** What stands beside its name. */
  Beside?: ComponentType;
}

/** Pages that belong together. */
export interface Wing {
  label?: string;
  rooms: Room[];
}

const UnreadBadge = lazy(() =>
  loadPart(() => import('../inbox/badge')).then(({ UnreadBadge: part }) => ({ default: part })),
);

const admins = (where: Where) => where.administers;

/** The one table of what the rail and the search show. */
export const WINGS: Wing[] = [
  { rooms: [{ to: '/', label: en.home.title, icon: IconHome }] },
  {
    label: en.shell.people,
    rooms: [
      { to: '/contacts', label: en.shell.contacts, icon: IconAddressBook },
      { to: '/segments', label: segments.title, icon: IconUsersGroup },
      { to: '/inbox', label: en.inbox.title, icon: IconInbox, Beside: UnreadBadge },
    ],
  },
  {
    label: en.shell.automation,
    rooms: [
      { to: '/flows', label: en.flows.title, icon: IconSitemap },
      { to: '/sequences', label: sequences.title, icon: IconListNumbers },
      { to: '/broadcasts', label: en.shell.broadcasts, icon: IconSpeakerphone },
    ],
  },
  {
    label: en.shell.connect,
    rooms: [
      { to: '/channels', label: en.channels.title, icon: IconPlug },
      { to: '/webhooks', label: en.webhooks.title, icon: IconWebhook, for: admins },
      { to: '/events', label: en.events.title, icon: IconActivity },
    ],
  },
  {
    label: en.shell.developers,
    rooms: [
      { to: '/developers/docs', label: en.docs.title, icon: IconApi },
      { to: '/developers/log', label: en.usage.title, icon: IconListDetails, for: admins },
      { to: '/developers/sandbox', label: en.sandbox.title, icon: IconFlask, for: admins },
      { to: '/developers/jobs', label: en.jobs.title, icon: IconMailOff },
    ],
  },
  {
    label: en.shell.insight,
    rooms: [{ to: '/analytics', label: en.analytics.title, icon: IconChartLine }],
  },
  {
    label: en.shell.settings,
    rooms: [
      { to: '/settings/api-keys', label: en.keys.title, icon: IconKey, for: admins },
      { to: '/settings/tags', label: en.shell.tags, icon: IconTag },
      { to: '/settings/fields', label: en.shell.customFields, icon: IconForms },
      { to: '/settings/bot-fields', label: en.shell.botFields, icon: IconRobot },
      { to: '/settings/members', label: en.members.title, icon: IconUsers, for: admins },
      { to: '/settings/secrets', label: en.secrets.title, icon: IconLock },
      { to: '/settings/saved-replies', label: en.replies.title, icon: IconMessage2 },
      { to: '/settings/workspace', label: en.workspace.title, icon: IconBuildingStore },
      { to: '/settings/storage', label: storage.title, icon: IconDatabase },
      { to: '/settings/audit-log', label: en.shell.auditLog, icon: IconHistory, for: admins },
      { to: '/settings/profile', label: en.profile.title, icon: IconUser },
    ],
  },
];

/** The wings with the rooms that somebody may enter here. */
export function wingsFor(where: Where): Wing[] {
  const open = (room: Room) => room.for?.(where) ?? true;
  return WINGS.map((wing) => ({ ...wing, rooms: wing.rooms.filter(open) })).filter(
    (wing) => wing.rooms.length > 0,
  );
}
