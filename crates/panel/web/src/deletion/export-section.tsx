import { Button, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import classes from '../settings/settings.module.css';
import { exportWorkspace } from './export';

const t = texts('workspace-deletion');

/** Downloads all data of the workspace. */
export function ExportSection({ ws }: { ws: string }) {
  const save = useMutation({ mutationFn: () => exportWorkspace(ws) });
  return (
    <section className={classes.section} aria-labelledby="export">
      <Title order={2} id="export">
        {t('exportTitle')}
      </Title>
      <p className={classes.hint}>{t('exportHint')}</p>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {t('exportAll')}
      </Button>
      <Text role="status" c="dimmed" mt={4}>
        {save.isPending && t('exportRunning')}
        {save.isSuccess && t('exportDone', { file: save.data })}
      </Text>
      {save.error && <Failure error={save.error} />}
    </section>
  );
}
