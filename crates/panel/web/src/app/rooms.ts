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
import { pages } from '../i18n/en/pages';
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
  { rooms: [{ to: '/', label: pages.home, icon: IconHome }] },
  {
    label: en.shell.people,
    rooms: [
      { to: '/contacts', label: en.shell.contacts, icon: IconAddressBook },
      { to: '/segments', label: pages.segments, icon: IconUsersGroup },
      { to: '/inbox', label: pages.inbox, icon: IconInbox, Beside: UnreadBadge },
    ],
  },
  {
    label: en.shell.automation,
    rooms: [
      { to: '/flows', label: pages.flows, icon: IconSitemap },
      { to: '/sequences', label: pages.sequences, icon: IconListNumbers },
      { to: '/broadcasts', label: en.shell.broadcasts, icon: IconSpeakerphone },
    ],
  },
  {
    label: en.shell.connect,
    rooms: [
      { to: '/channels', label: pages.channels, icon: IconPlug },
      { to: '/webhooks', label: pages.webhooks, icon: IconWebhook, for: admins },
      { to: '/events', label: pages.events, icon: IconActivity },
    ],
  },
  {
    label: en.shell.developers,
    rooms: [
      { to: '/developers/docs', label: pages.docs, icon: IconApi },
      { to: '/developers/log', label: pages.usage, icon: IconListDetails, for: admins },
      { to: '/developers/sandbox', label: pages.sandbox, icon: IconFlask, for: admins },
      { to: '/developers/jobs', label: pages.jobs, icon: IconMailOff },
    ],
  },
  {
    label: en.shell.insight,
    rooms: [{ to: '/analytics', label: pages.analytics, icon: IconChartLine }],
  },
  {
    label: en.shell.settings,
    rooms: [
      { to: '/settings/api-keys', label: pages.keys, icon: IconKey, for: admins },
      { to: '/settings/tags', label: en.shell.tags, icon: IconTag },
      { to: '/settings/fields', label: en.shell.customFields, icon: IconForms },
      { to: '/settings/bot-fields', label: en.shell.botFields, icon: IconRobot },
      { to: '/settings/members', label: pages.members, icon: IconUsers, for: admins },
      { to: '/settings/secrets', label: pages.secrets, icon: IconLock },
      { to: '/settings/saved-replies', label: pages.replies, icon: IconMessage2 },
      { to: '/settings/workspace', label: pages.workspace, icon: IconBuildingStore },
      { to: '/settings/storage', label: pages.storage, icon: IconDatabase },
      { to: '/settings/audit-log', label: en.shell.auditLog, icon: IconHistory, for: admins },
      { to: '/settings/profile', label: pages.profile, icon: IconUser },
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
