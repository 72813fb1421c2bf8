import {
  IconActivity,
  IconAddressBook,
  IconApi,
  IconBuildingStore,
  IconChartLine,
  IconClock,
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
import { texts } from '../i18n/texts';
import type { Where } from './here';

const t = texts('navigation');
type Name<Above extends string> = Parameters<typeof t>[0] extends infer K
  ? K extends `${Above}.${infer N}`
    ? N
    : never
  : never;

/** A page of the navigation. */
interface Entry {
  to: string;
  page: Name<'pages'>;
  icon: typeof IconHome;
  /** Settings of the page, which the search finds by their names. */
  parts?: Name<'parts'>[];
  /** Whether a user may open the page. Absent if all users may. */
  for?: (where: Where) => boolean;
  /** A badge beside the name. */
  Beside?: ComponentType;
}

/** A group of pages. */
interface Section {
  group?: Name<'groups'>;
  rooms: Entry[];
}

/** An entry with its label in the panel's language. */
export interface Room extends Entry {
  label: string;
}
export interface Wing {
  label?: string;
  rooms: Room[];
}

const UnreadBadge = lazy(() =>
  loadPart(() => import('../inbox/badge')).then(({ UnreadBadge: part }) => ({ default: part })),
);

const admins = (where: Where) => where.administers;

/** The pages of the main navigation. The search finds them too. */
const WINGS: Section[] = [
  { rooms: [{ to: '/', page: 'home', icon: IconHome }] },
  {
    group: 'people',
    rooms: [
      { to: '/contacts', page: 'contacts', icon: IconAddressBook },
      { to: '/segments', page: 'segments', icon: IconUsersGroup },
      { to: '/inbox', page: 'inbox', icon: IconInbox, Beside: UnreadBadge },
    ],
  },
  {
    group: 'automation',
    rooms: [
      { to: '/flows', page: 'flows', icon: IconSitemap },
      { to: '/sequences', page: 'sequences', icon: IconListNumbers },
      { to: '/broadcasts', page: 'broadcasts', icon: IconSpeakerphone },
    ],
  },
  {
    group: 'connect',
    rooms: [
      { to: '/channels', page: 'channels', icon: IconPlug },
      { to: '/webhooks', page: 'webhooks', icon: IconWebhook, for: admins },
      { to: '/events', page: 'events', icon: IconActivity },
    ],
  },
  {
    group: 'developers',
    rooms: [
      { to: '/developers/docs', page: 'docs', icon: IconApi },
      { to: '/developers/log', page: 'usageLog', icon: IconListDetails, for: admins },
      { to: '/developers/sandbox', page: 'sandbox', icon: IconFlask, for: admins },
      { to: '/developers/jobs', page: 'deadLetters', icon: IconMailOff },
    ],
  },
  {
    group: 'insight',
    rooms: [
      { to: '/analytics', page: 'analytics', icon: IconChartLine },
      { to: '/reply-times', page: 'replyTimes', icon: IconClock },
    ],
  },
];

/** The pages of the settings navigation. */
const SETTINGS: Section[] = [
  {
    group: 'workspace',
    rooms: [
      {
        to: '/settings/workspace',
        page: 'workspace',
        icon: IconBuildingStore,
        parts: ['timeZone', 'country', 'assignment', 'optOutWords', 'sending'],
      },
      { to: '/settings/members', page: 'members', icon: IconUsers, for: admins },
      { to: '/settings/api-keys', page: 'apiKeys', icon: IconKey, for: admins },
      { to: '/settings/storage', page: 'storage', icon: IconDatabase },
      { to: '/settings/audit-log', page: 'auditLog', icon: IconHistory, for: admins },
    ],
  },
  {
    group: 'content',
    rooms: [
      { to: '/settings/tags', page: 'tags', icon: IconTag },
      { to: '/settings/fields', page: 'customFields', icon: IconForms },
      { to: '/settings/bot-fields', page: 'botFields', icon: IconRobot },
      { to: '/settings/saved-replies', page: 'savedReplies', icon: IconMessage2 },
      { to: '/settings/secrets', page: 'secrets', icon: IconLock },
    ],
  },
  {
    group: 'account',
    rooms: [
      {
        to: '/settings/profile',
        page: 'profile',
        icon: IconUser,
        parts: ['email', 'language', 'password', 'sessions'],
      },
    ],
  },
];

/** The pages outside the settings that the user may open, with their labels. */
export function wingsFor(where: Where): Wing[] {
  return offered(where.role === 'member' ? inboxFirst(WINGS) : WINGS, where);
}

/** The pages of the settings that the user may open, with their labels. */
export function settingsFor(where: Where): Wing[] {
  return offered(SETTINGS, where);
}

/** Moves the inbox to the top, for users who answer contacts. */
function inboxFirst(sections: Section[]): Section[] {
  const isInbox = ({ page }: Entry) => page === 'inbox';
  const [first, ...others] = sections.map((it) => ({
    ...it,
    rooms: it.rooms.filter((room) => !isInbox(room)),
  }));
  const inbox = sections.flatMap(({ rooms }) => rooms.filter(isInbox));
  return [{ rooms: [...inbox, ...(first?.rooms ?? [])] }, ...others];
}

function offered(sections: Section[], where: Where): Wing[] {
  const open = (room: Entry) => room.for?.(where) ?? true;
  return sections
    .map(({ group, rooms }) => ({
      label: group && t(`groups.${group}`),
      rooms: rooms.filter(open).map((room) => ({ ...room, label: t(`pages.${room.page}`) })),
    }))
    .filter((wing) => wing.rooms.length > 0);
}
