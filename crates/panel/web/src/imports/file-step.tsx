import { Button, Group, Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import { DialectFields } from './dialect';
import { History } from './history';
import classes from './imports.module.css';
import { Refusal } from './refusal';
import { readSource, type Source } from './source';
import type { Table } from './use-table';

const t = texts('imports');

interface Props {
  table: Table;
  onChosen: (source: Source) => void;
  onNext: () => void;
  /** Opens an earlier import. */
  onOpen: (id: string) => void;
}

/** Step 1: a file, and how the server reads it. */
export function FileStep({ table, onChosen, onNext, onOpen }: Props) {
  const { source, check } = table;
  return (
    <>
      <Choose isChosen={source !== undefined} onChosen={onChosen} />
      {source && table.error && <Refusal error={table.error} retry={table.retry} />}
      {source && (table.error || check) && <DialectFields table={table} />}
      {source && !table.error && !check && (
        <div role="status" aria-label={t('checking')}>
          <Waiting lines={2} />
        </div>
      )}
      {source && check && (
        <>
          <Text role="status" fw={600} mt="md">
            {t('found', { name: source.name, count: check.rows })} ·{' '}
            {t('columnsFound', { count: check.columns.length })}
          </Text>
          {check.blank_rows > 0 && <Text c="dimmed">{t('blankRows', { count: check.blank_rows })}</Text>}
          <Group justify="flex-end" mt="lg">
            <Button onClick={onNext} disabled={table.error !== null}>
              {t('toColumns')}
            </Button>
          </Group>
        </>
      )}
      {!source && <History onOpen={onOpen} />}
    </>
  );
}

interface ChooseProps {
  isChosen: boolean;
  onChosen: (source: Source) => void;
}

/** Accepts a file that the user drops or chooses. */
function Choose({ isChosen, onChosen }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const read = useMutation({ mutationFn: readSource, onSuccess: onChosen });
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file) read.mutate(file);
  };
  return (
    <>
      <Text c="dimmed" mb="sm">
        {t('fileHint')}
      </Text>
      <section
        className={classes.drop}
        aria-label={t('file')}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files);
        }}
      >
        <IconFileSpreadsheet size={20} aria-hidden />
        <span>{t('drop')}</span>
        <Button variant="default" loading={read.isPending} onClick={() => input.current?.click()}>
          {isChosen ? t('another') : t('choose')}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          hidden
          aria-label={t('file')}
          onChange={(event) => {
            take(event.currentTarget.files);
            // The user can choose the same file again after a correction.
            event.currentTarget.value = '';
          }}
        />
      </section>
      {read.error && (
        <div className={classes.gap}>
          <Failure error={read.error} />
        </div>
      )}
    </>
  );
}
