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
import { PageMenuItems } from '../components/page-menu';
import { texts } from '../i18n/texts';
import type { Opened } from './dialogs';

const t = texts('contact');

export function ContactMenu({ open }: { open: (what: Opened) => void }) {
  const { role, administers } = useWhere();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('more')}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayWrite(role) && (
          <Menu.Item leftSection={<IconCalendarRepeat size={16} />} onClick={() => open('enroll')}>
            {t('enroll')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => open('export')}>
          {t('exportAll')}
        </Menu.Item>
        {administers && (
          <>
            <Menu.Item leftSection={<IconArrowMerge size={16} />} onClick={() => open('merge')}>
              {t('merge')}
            </Menu.Item>
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => open('delete')}>
              {t('delete')}
            </Menu.Item>
            <Menu.Item leftSection={<IconEraser size={16} />} onClick={() => open('erase')}>
              {t('erase')}
            </Menu.Item>
          </>
        )}
        <PageMenuItems />
      </Menu.Dropdown>
    </Menu>
  );
}
