import { useState } from 'react';
import { GuardedModal } from '../components/guarded';
import { en } from '../i18n/en';
import { imports as words } from '../i18n/en/imports';
import { Choose } from './choose';
import type { Table } from './csv';
import { History } from './history';
import { Mapping } from './mapping';
import { Going } from './progress';

/** As the address has it: a new import, or the id of one. */
export const NEW = 'new';

interface Props {
  /** What is open: [`NEW`], an id, or nothing. */
  opened: string | undefined;
  show: (opened: string | undefined) => void;
}

/** Takes a table in: a file, what its columns are, how far it is, and what became of it. */
export function ImportDialog({ opened, show }: Props) {
  const [table, setTable] = useState<Table>();
  const close = () => {
    setTable(undefined);
    show(undefined);
  };
  return (
    <GuardedModal
      opened={opened !== undefined}
      onClose={close}
      title={words.title}
      size={760}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      {opened !== undefined && opened !== NEW ? (
        <Going id={opened} onAll={() => show(NEW)} onClose={close} />
      ) : table ? (
        <Mapping
          table={table}
          onAnother={() => setTable(undefined)}
          onStarted={(id) => {
            setTable(undefined);
            show(id);
          }}
        />
      ) : (
        <>
          <Choose onTable={setTable} />
          <History onOpen={show} />
        </>
      )}
    </GuardedModal>
  );
}
