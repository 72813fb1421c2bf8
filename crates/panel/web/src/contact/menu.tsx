import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowMerge,
  IconCalendarRepeat,
  IconDots,
  IconDownload,
  IconEraser,
  IconTrash,
} from '@tabler/icons-react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { contact as words } from '../i18n/en/contact';
import type { Opened } from './dialogs';

/** What else may be done with a contact. */
export function ContactMenu({ open }: { open: (what: Opened) => void }) {
  const { role, administers } = useWhere();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={words.more}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayWrite(role) && (
          <Menu.Item leftSection={<IconCalendarRepeat size={16} />} onClick={() => open('enroll')}>
            {words.enroll}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => open('export')}>
          {words.export}
        </Menu.Item>
        {administers && (
          <>
            <Menu.Item leftSection={<IconArrowMerge size={16} />} onClick={() => open('merge')}>
              {words.merge}
            </Menu.Item>
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => open('delete')}>
              {words.delete}
            </Menu.Item>
            <Menu.Item leftSection={<IconEraser size={16} />} onClick={() => open('erase')}>
              {words.erase}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
