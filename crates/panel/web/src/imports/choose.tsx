import { Button, Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Failure } from '../components/states';
import { imports as words } from '../i18n/en/imports';
import { readFile, type Table } from './csv';
import classes from './imports.module.css';

/** Takes a file, dropped or chosen, and reads it. */
export function Choose({ onTable }: { onTable: (table: Table) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const read = useMutation({ mutationFn: readFile, onSuccess: onTable });
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file) read.mutate(file);
  };
  return (
    <>
      <Text c="dimmed" mb="sm">
        {words.hint}
      </Text>
      <section
        className={classes.drop}
        aria-label={words.file}
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
        <span>{words.drop}</span>
        <Button variant="default" loading={read.isPending} onClick={() => input.current?.click()}>
          {words.choose}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          hidden
          aria-label={words.file}
          onChange={(event) => {
            take(event.currentTarget.files);
            // The same file may be chosen again, once it is mended.
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
