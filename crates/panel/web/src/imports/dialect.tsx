import { Select } from '@mantine/core';
import { texts } from '../i18n/texts';
import classes from './imports.module.css';
import type { Table } from './use-table';

const t = texts('imports');

const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
];
const DELIMITERS = [',', ';', 'tab', '|'];

/** The detected encoding and delimiter. The user can select others. */
export function DialectFields({ table }: { table: Table }) {
  const { check, dialect } = table;
  const detected = check && {
    encoding: check.encoding,
    delimiter: t.find('delimiters', check.delimiter) ?? check.delimiter,
  };
  const automatic = { value: '', label: t('automatic') };
  return (
    <details className={classes.dialect} open={!check || undefined}>
      <summary>{detected ? t('detected', detected) : t('advanced')}</summary>
      <div className={classes.fields}>
        <Select
          label={t('encoding')}
          data={[automatic, ...ENCODINGS.map((value) => ({ value, label: value }))]}
          value={dialect.encoding ?? ''}
          allowDeselect={false}
          onChange={(it) => table.read({ ...dialect, encoding: it || undefined })}
        />
        <Select
          label={t('delimiter')}
          data={[
            automatic,
            ...DELIMITERS.map((value) => ({ value, label: t.find('delimiters', value) ?? value })),
          ]}
          value={dialect.delimiter ?? ''}
          allowDeselect={false}
          onChange={(it) => table.read({ ...dialect, delimiter: it || undefined })}
        />
      </div>
    </details>
  );
}
