import { Select } from '@mantine/core';
import { GuardedModal } from '../components/guarded';
import { Failure, Waiting } from '../components/states';
import { useTags } from '../conditions/use-fields';
import { texts } from '../i18n/texts';

const t = texts('inbox');

interface Props {
  opened: boolean;
  onClose: () => void;
  chosen: string | undefined;
  /** Called with a tag, or `undefined` to remove the filter. */
  onChoose: (tag: string | undefined) => void;
}

/** Selects a tag to filter conversations by the tags of their contacts. */
export function TagFilter({ opened, onClose, chosen, onChoose }: Props) {
  return (
    <GuardedModal opened={opened} onClose={onClose} title={t('filters.tagTitle')}>
      <TagChoice
        chosen={chosen}
        onChoose={(tag) => {
          onClose();
          onChoose(tag);
        }}
      />
    </GuardedModal>
  );
}

function TagChoice({ chosen, onChoose }: Pick<Props, 'chosen' | 'onChoose'>) {
  const tags = useTags();
  if (tags.error && !tags.data) return <Failure error={tags.error} retry={() => void tags.refetch()} />;
  if (!tags.data) return <Waiting lines={1} />;
  return (
    <Select
      label={t('tag')}
      placeholder={t('filters.findTag')}
      data={tags.data.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen ?? null}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filters.remove', { filter: t('tag') }) }}
      nothingFoundMessage={t('filters.noTag')}
      limit={50}
      maxDropdownHeight={240}
      data-autofocus
      onChange={(tag) => onChoose(tag ?? undefined)}
    />
  );
}
