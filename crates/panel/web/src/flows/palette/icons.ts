import {
  IconArrowsSplit2,
  IconBolt,
  IconFlag,
  IconHourglass,
  IconMessage2,
  IconMessage2Question,
  IconPencil,
  IconPlug,
} from '@tabler/icons-react';
import type { GroupName } from './groups';

export const GROUP_ICONS: Record<GroupName, typeof IconBolt> = {
  start: IconBolt,
  say: IconMessage2,
  ask: IconMessage2Question,
  decide: IconArrowsSplit2,
  wait: IconHourglass,
  change: IconPencil,
  connect: IconPlug,
  end: IconFlag,
};
