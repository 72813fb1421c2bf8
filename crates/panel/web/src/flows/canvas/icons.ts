import {
  IconAbc,
  IconApi,
  IconArrowFork,
  IconArrowRightCircle,
  IconBell,
  IconBolt,
  IconCalendarEvent,
  IconCircleCheck,
  IconClock,
  IconFlag,
  IconForms,
  IconHierarchy,
  IconHourglass,
  IconLink,
  IconMessage2,
  IconMessage2Question,
  IconNote,
  IconPercentage,
  IconRobot,
  IconRoute,
  IconRouteOff,
  IconTag,
  IconTagOff,
  IconUserShare,
  IconWorld,
} from '@tabler/icons-react';
import type { NodeType, TriggerType } from '../definition';

type Icon = typeof IconClock;

const NODES: Record<NodeType, Icon> = {
  send_message: IconMessage2,
  ask: IconMessage2Question,
  wait_for_event: IconHourglass,
  delay: IconClock,
  branch: IconArrowFork,
  split: IconPercentage,
  set_field: IconForms,
  set_bot_field: IconRobot,
  add_tag: IconTag,
  remove_tag: IconTagOff,
  enroll_sequence: IconRoute,
  exit_sequence: IconRouteOff,
  http_request: IconWorld,
  resolve_conversation: IconCircleCheck,
  assign_conversation: IconUserShare,
  note: IconNote,
  start_flow: IconArrowRightCircle,
  end: IconFlag,
};

const TRIGGERS: Record<TriggerType, Icon> = {
  keyword: IconAbc,
  referral: IconLink,
  event: IconBell,
  custom_event: IconBolt,
  schedule: IconCalendarEvent,
};

/** The icon of a node type, with a default for unknown types. */
export function nodeIcon(type: string): Icon {
  return NODES[type as NodeType] ?? IconHierarchy;
}

/** The icon of a trigger type. Without a trigger, it is the icon of the API. */
export function triggerIcon(type: string | undefined): Icon {
  return TRIGGERS[type as TriggerType] ?? IconApi;
}
