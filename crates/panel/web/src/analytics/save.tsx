import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { en } from '../i18n/en';
import { csvOf, nameOf } from './csv';
import type { Overview } from './series';

/** Keeps what the charts show as a file. */
export function Save({ overview }: { overview: Overview }) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([csvOf(overview)], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = nameOf(overview);
    link.click();
    // The browser reads it once the click is over.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save}>
      {en.analytics.save}
    </Button>
  );
}
