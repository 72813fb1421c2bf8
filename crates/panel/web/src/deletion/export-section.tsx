import { Button, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Failure } from '../components/states';
import { workspaceDeletion as words } from '../i18n/en/workspace-deletion';
import classes from '../settings/settings.module.css';
import { exportWorkspace } from './export';

/** Downloads all data of the workspace. */
export function ExportSection({ ws }: { ws: string }) {
  const save = useMutation({ mutationFn: () => exportWorkspace(ws) });
  return (
    <section className={classes.section} aria-labelledby="export">
      <Title order={2} id="export">
        {words.exportTitle}
      </Title>
      <p className={classes.hint}>{words.exportHint}</p>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {words.exportVerb}
      </Button>
      <Text role="status" c="dimmed" mt={4}>
        {save.isPending && words.exportRunning}
        {save.isSuccess && words.exportDone(save.data)}
      </Text>
      {save.error && <Failure error={save.error} />}
    </section>
  );
}
