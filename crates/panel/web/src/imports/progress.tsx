import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { Fact, Facts } from '../components/facts';
import { Id } from '../components/id';
import { saveFile } from '../components/save-file';
import { Failure, Waiting } from '../components/states';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { imports as words } from '../i18n/en/imports';
import { type Import, rejectedOf, useCancelImport, useImport } from './api';
import classes from './imports.module.css';
import { ImportState, isOver } from './state';

interface Props {
  id: string;
  /** Back to the list of imports. */
  onAll: () => void;
  onClose: () => void;
}

/** How far an import is, and what became of it. */
export function Going({ id, onAll, onClose }: Props) {
  const { workspace } = useWhere();
  const found = useImport(workspace.id, id);
  return (
    <>
      {found.data ? (
        <Shown it={found.data} />
      ) : found.error ? (
        <Failure error={found.error} retry={() => void found.refetch()} />
      ) : (
        <Waiting lines={5} />
      )}
      <Group justify="space-between" mt="lg">
        <Button variant="subtle" onClick={onAll}>
          {words.backToAll}
        </Button>
        <Button variant={isOver(found.data) ? 'filled' : 'default'} onClick={onClose}>
          {en.common.close}
        </Button>
      </Group>
    </>
  );
}

function Shown({ it }: { it: Import }) {
  const { counts, error } = it;
  return (
    <>
      <div className={classes.head}>
        <Group gap="sm">
          <ImportState status={it.status} />
          <Text c="dimmed">
            <When at={it.ended_at ?? it.created_at} />
          </Text>
        </Group>
        <Id id={it.id} />
      </div>
      {error && (
        <Text role="alert" c="var(--bad)" mb="sm">
          {sentence(error.message)}
        </Text>
      )}
      <progress
        className={classes.bar}
        value={counts.done}
        max={counts.rows || 1}
        aria-label={words.progress}
      />
      <p className={classes.done} role="status">
        <span className="figures">{words.of(counts.done, counts.rows)}</span>
        {!isOver(it) && <span className="dimmed"> {words.background}</span>}
      </p>
      <Facts>
        <Fact name={words.created}>{words.count(counts.created)}</Fact>
        <Fact name={words.updated}>{words.count(counts.updated)}</Fact>
        <Fact name={words.kept}>{words.count(counts.kept)}</Fact>
        <Fact name={words.rejected} tone={counts.rejected > 0 ? 'bad' : undefined}>
          {words.count(counts.rejected)}
        </Fact>
      </Facts>
      {counts.still_opted_out > 0 && <Text mb="sm">{words.stillOptedOut(counts.still_opted_out)}</Text>}
      {isOver(it) ? counts.rejected > 0 && <Rejected id={it.id} /> : <Cancel id={it.id} />}
    </>
  );
}

function Cancel({ id }: { id: string }) {
  const { workspace } = useWhere();
  const cancel = useCancelImport(workspace.id, id);
  return (
    <>
      <Group gap="sm">
        <Button
          variant="outline"
          color="var(--bad)"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {words.cancel}
        </Button>
        <Text c="dimmed">{words.cancelHint}</Text>
      </Group>
      {cancel.error && <Failure error={cancel.error} />}
    </>
  );
}

function Rejected({ id }: { id: string }) {
  const { workspace } = useWhere();
  const save = useMutation({
    mutationFn: async () => saveFile(await rejectedOf(workspace.id, id), `${id}-rejected.csv`),
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {words.download}
      </Button>
      <Text size="sm" c="dimmed" mt={4}>
        {words.downloadHint}
      </Text>
      {save.error && <Failure error={save.error} />}
    </>
  );
}
