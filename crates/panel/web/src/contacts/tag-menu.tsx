import { Button, Combobox, useCombobox } from '@mantine/core';
import { useState } from 'react';
import { useTags } from '../conditions/use-fields';
import { texts } from '../i18n/texts';

const t = texts('contacts');
const conditions = texts('conditions');

/** An existing tag by ID, or the name of a new one. */
export type ChosenTag = { tag_id: string } | { name: string };

interface Props {
  label: string;
  /** Whether the user can enter the name of a new tag. */
  mayMake?: boolean;
  /** The IDs of tags that are not offered. */
  without?: string[];
  compact?: boolean;
  onChoose: (tag: ChosenTag) => void;
}

const MOST = 50;

export function TagMenu({ label, mayMake, without = [], compact, onChoose }: Props) {
  const tags = useTags();
  const [text, setText] = useState('');
  const box = useCombobox({
    onDropdownOpen: () => box.focusSearchInput(),
    onDropdownClose: () => {
      box.resetSelectedOption();
      setText('');
    },
  });
  const folded = text.trim().toLowerCase();
  const all = (tags.data ?? []).filter(({ id }) => !without.includes(id));
  const found = all.filter(({ name }) => name.toLowerCase().includes(folded)).slice(0, MOST);
  const makes = mayMake && folded !== '' && !(tags.data ?? []).some((it) => it.name.toLowerCase() === folded);
  return (
    <Combobox
      store={box}
      width={240}
      position="top-start"
      shadow="md"
      onOptionSubmit={(value) => {
        box.closeDropdown();
        onChoose(value === '+' ? { name: text.trim() } : { tag_id: value });
      }}
    >
      <Combobox.Target withAriaAttributes={false}>
        <Button
          variant="default"
          size={compact ? 'compact-sm' : 'sm'}
          aria-haspopup="listbox"
          aria-expanded={box.dropdownOpened}
          onClick={() => box.toggleDropdown()}
        >
          {label}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label={t('findTag')}
          placeholder={t('findTag')}
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            box.updateSelectedOptionIndex();
          }}
        />
        <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label={t('tags')}>
          {found.map(({ id, name }) => (
            <Combobox.Option key={id} value={id}>
              {name}
            </Combobox.Option>
          ))}
          {makes && <Combobox.Option value="+">{t('createTag', { name: text.trim() })}</Combobox.Option>}
          {found.length === 0 && !makes && <Combobox.Empty>{conditions('nothingFound')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
