import { CloseButton } from '@mantine/core';
import { useWhere } from '../app/here';
import { texts } from '../i18n/texts';
import { useChannels } from './api';
import classes from './list.module.css';
import { useColleagues } from './names';
import type { InboxSearch } from './views';

const t = texts('inbox');

interface Props {
  search: InboxSearch;
  show: (next: InboxSearch) => void;
}

/** The filters of the list, each with a button that removes it. */
export function ActiveFilters({ search, show }: Props) {
  const { workspace } = useWhere();
  const channels = useChannels(workspace.id);
  const { nameOf } = useColleagues();
  const { unread, channel, assignee } = search;
  const filters: { key: keyof InboxSearch; label: string }[] = [];
  if (unread) filters.push({ key: 'unread', label: t('filters.unread') });
  if (assignee && search.view !== 'mine') {
    const label = assignee === 'none' ? t('unassigned') : t('assignedTo', { name: nameOf(assignee) });
    filters.push({ key: 'assignee', label });
  }
  if (channel) {
    filters.push({ key: 'channel', label: channels.find((it) => it.id === channel)?.name ?? t('channel') });
  }
  if (filters.length === 0) return null;
  return (
    <ul className={classes.filters} aria-label={t('filters.active')}>
      {filters.map(({ key, label }) => (
        <li key={key} className={classes.filter}>
          <span className={classes.name}>{label}</span>
          <CloseButton
            size={16}
            iconSize={12}
            aria-label={t('filters.remove', { filter: label })}
            onClick={() => show({ ...search, [key]: undefined })}
          />
        </li>
      ))}
    </ul>
  );
}
