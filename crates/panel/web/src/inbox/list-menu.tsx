import { ActionIcon, Menu } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useAccount } from '../app/use-session';
import { texts } from '../i18n/texts';
import { useChannels } from './api';
import { useColleagues } from './names';
import { NextOption } from './next-option';
import { TagFilter } from './tag-filter';
import { type InboxSearch, isFiltered, ORDERS, orderOf } from './views';

const t = texts('inbox');

interface Props {
  search: InboxSearch;
  show: (next: InboxSearch) => void;
  select: () => void;
}

/** A menu with the order, the filters and further actions of the list. */
export function ListMenu({ search, show, select }: Props) {
  const { workspace, role } = useWhere();
  const { user } = useAccount();
  const [choosesTag, setChoosesTag] = useState(false);
  const channels = useChannels(workspace.id);
  const { others } = useColleagues();
  const order = orderOf(search);
  const usual = orderOf({ view: search.view });
  const item = (key: string, label: string, chosen: boolean, next: InboxSearch) => (
    <Menu.RadioItem
      key={key}
      value={key}
      checked={chosen}
      closeMenuOnClick
      onChange={() => show({ ...search, ...next })}
    >
      {label}
    </Menu.RadioItem>
  );
  const assignee = (id: string | undefined, label: string) =>
    item(`assignee ${id}`, label, search.assignee === id, { assignee: id });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant={isFiltered(search) || search.order ? 'default' : 'subtle'}
            color="gray"
            aria-label={t('arrange')}
          >
            <IconAdjustmentsHorizontal size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah="80dvh" style={{ overflowY: 'auto' }}>
          {mayWrite(role) && <Menu.Item onClick={select}>{t('select.start')}</Menu.Item>}
          <Menu.Label>{t('order')}</Menu.Label>
          {ORDERS.map((it) =>
            item(it, t(`orders.${it}`), it === order, { order: it === usual ? undefined : it }),
          )}
          <Menu.Label>{t('filters.label')}</Menu.Label>
          <Menu.CheckboxItem
            checked={search.unread === true}
            closeMenuOnClick
            onChange={(isOn) => show({ ...search, unread: isOn || undefined })}
          >
            {t('filters.unread')}
          </Menu.CheckboxItem>
          <Menu.Item onClick={() => setChoosesTag(true)}>{t('filters.chooseTag')}</Menu.Item>
          {search.view !== 'mine' && (
            <>
              <Menu.Label>{t('assignee')}</Menu.Label>
              {assignee(undefined, t('filters.anyone'))}
              {assignee('none', t('unassigned'))}
              {assignee(user.id, t('me', { name: user.name ?? user.email }))}
              {others.map((it) => assignee(it.id, it.name))}
            </>
          )}
          <Menu.Label>{t('channel')}</Menu.Label>
          {item('all', t('allChannels'), !search.channel, { channel: undefined })}
          {channels.map((it) => item(it.id, it.name, it.id === search.channel, { channel: it.id }))}
          <NextOption />
        </Menu.Dropdown>
      </Menu>
      <TagFilter
        opened={choosesTag}
        onClose={() => setChoosesTag(false)}
        chosen={search.tag}
        onChoose={(tag) => show({ ...search, tag })}
      />
    </>
  );
}
