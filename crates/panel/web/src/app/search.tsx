import { Modal, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { texts } from '../i18n/texts';
import { type Found, findings } from './findings';
import { useWhere } from './here';
import { places } from './places';
import classes from './search.module.css';
import { useAccount } from './use-session';

const t = texts('shell');

/** Finds pages by name and objects by id. The arrows choose, Enter goes there. */
export default function Search({ onClose }: { onClose: () => void }) {
  const where = useWhere();
  const account = useAccount();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = findings(text, where, places(account));

  const open = (it: Found | undefined) => {
    if (!it) return;
    onClose();
    if (it.workspace) where.go(it.workspace);
    else void navigate({ to: it.to, search: it.search as never });
  };
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) {
      event.preventDefault();
      setAt((at + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(found[at]);
    }
  };

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      size={560}
      padding={0}
      aria-label={t('searchTitle')}
    >
      <TextInput
        variant="unstyled"
        size="md"
        className={classes.input}
        leftSection={<IconSearch size={16} aria-hidden />}
        placeholder={t('search')}
        aria-label={t('searchTitle')}
        role="combobox"
        aria-expanded
        aria-controls="findings"
        aria-activedescendant={found[at] ? `finding-${at}` : undefined}
        data-autofocus
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div role="listbox" id="findings" aria-label={t('searchResults')} className={classes.list}>
        {found.map((it, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the keyboard
          <div
            key={it.label}
            id={`finding-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={classes.option}
            onMouseMove={() => setAt(index)}
            onClick={() => open(it)}
          >
            {it.label}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={classes.empty}>{t('searchEmpty')}</p>}
    </Modal>
  );
}
