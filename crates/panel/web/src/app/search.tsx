import { Modal, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { told } from '../components/failure';
import { texts } from '../i18n/texts';
import { type Found, findings } from './findings';
import { type FoundObjects, useFoundObjects } from './found-objects';
import { useWhere } from './here';
import { places } from './places';
import classes from './search.module.css';
import { SearchResults } from './search-results';
import { useAccount } from './use-session';

const t = texts('search');

/** Finds pages, actions and objects by name, and objects by ID. The arrow keys select, Enter opens. */
export default function Search({ onClose }: { onClose: () => void }) {
  const where = useWhere();
  const account = useAccount();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, choose] = useState<string>();
  const pages = findings(text, where, places(account));
  const byId = pages[0]?.group === 'ids';
  const objects = useFoundObjects(where.workspace.id, byId ? '' : text);
  const found = [...pages, ...objects.found];
  // Objects arrive later than pages. Keep the same result selected.
  const at = Math.max(
    0,
    found.findIndex((it) => keyOf(it) === chosen),
  );

  const open = (it: Found | undefined) => {
    if (!it) return;
    onClose();
    if (it.workspace) where.go(it.workspace);
    else void navigate({ to: it.to, search: it.search as never });
  };
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && found[(at + step + found.length) % found.length];
    if (next) {
      event.preventDefault();
      choose(keyOf(next));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
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
      aria-label={t('title')}
    >
      <TextInput
        variant="unstyled"
        size="md"
        className={classes.input}
        leftSection={<IconSearch size={16} aria-hidden />}
        placeholder={t('placeholder')}
        aria-label={t('title')}
        role="combobox"
        aria-expanded
        aria-controls="findings"
        aria-activedescendant={found[at] ? `finding-${at}` : undefined}
        data-autofocus
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          choose(undefined);
        }}
        onKeyDown={press}
      />
      <SearchResults found={found} at={at} choose={(it) => choose(keyOf(it))} open={open} />
      <Notes objects={objects} isEmpty={found.length === 0} />
    </Modal>
  );
}

const keyOf = ({ group, label, to, search, workspace }: Found) =>
  JSON.stringify([group, label, to, search, workspace]);

/** The state of the search: running, without results, or with lists that could not be searched. */
function Notes({ objects, isEmpty }: { objects: FoundObjects; isEmpty: boolean }) {
  const { failed, isSearching } = objects;
  // Do not announce a short search.
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isSearching) return;
    const timer = setTimeout(() => setLong(true), 400);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isSearching]);
  return (
    <div role="status" className={classes.notes}>
      {isSearching && isLong && <p>{t('searching')}</p>}
      {!isSearching && isEmpty && failed.length === 0 && <p>{t('empty')}</p>}
      {failed.map(({ kind, error }) => (
        <p key={kind} className={classes.failed}>
          {t('failed', { group: t(`objects.${kind}`), reason: told(error) })}
        </p>
      ))}
    </div>
  );
}
