import { CloseButton } from '@mantine/core';
import { useWhere } from '../app/here';
import { useTags } from '../conditions/use-fields';
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
  const { unread, channel, assignee, tag } = search;
  const filters: { key: keyof InboxSearch; label: string }[] = [];
  if (unread) filters.push({ key: 'unread', label: t('filters.unread') });
  if (assignee && search.view !== 'mine') {
    const label = assignee === 'none' ? t('unassigned') : t('assignedTo', { name: nameOf(assignee) });
    filters.push({ key: 'assignee', label });
  }
  if (channel) {
    filters.push({ key: 'channel', label: channels.find((it) => it.id === channel)?.name ?? t('channel') });
  }
  if (filters.length === 0 && !tag) return null;
  const remove = (key: keyof InboxSearch) => show({ ...search, [key]: undefined });
  return (
    <ul className={classes.filters} aria-label={t('filters.active')}>
      {filters.map(({ key, label }) => (
        <Filter key={key} label={label} remove={() => remove(key)} />
      ))}
      {tag && <TagOf tag={tag} remove={() => remove('tag')} />}
    </ul>
  );
}

function TagOf({ tag, remove }: { tag: string; remove: () => void }) {
  const name = useTags().data?.find((it) => it.id === tag)?.name;
  return <Filter label={name ? t('filters.tagged', { tag: name }) : t('tag')} remove={remove} />;
}

function Filter({ label, remove }: { label: string; remove: () => void }) {
  return (
    <li className={classes.filter}>
      <span className={classes.name}>{label}</span>
      <CloseButton
        size={24}
        iconSize={12}
        aria-label={t('filters.remove', { filter: label })}
        onClick={remove}
      />
    </li>
  );
}
