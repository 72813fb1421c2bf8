import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from '../components/save-file';
import { texts } from '../i18n/texts';
import { csvOf, nameOf } from './csv';
import type { Overview } from './series';

const t = texts('analytics');

/** Saves the series of the charts as a CSV file. */
export function Save({ overview }: { overview: Overview }) {
  const save = () => saveFile(new Blob([csvOf(overview)], { type: 'text/csv' }), nameOf(overview));
  return (
    <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save}>
      {t('save')}
    </Button>
  );
}
