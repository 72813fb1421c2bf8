import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useWhere } from '../app/here';
import { Fact, Facts } from '../components/facts';
import { saveFile } from '../components/save-file';
import { Failure } from '../components/states';
import { CancelWork, isOver, OpenedWork, WorkProgress } from '../components/work';
import { imports as words } from '../i18n/en/imports';
import { type Import, rejectedOf, useCancelImport, useImport } from './api';

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
    <OpenedWork found={found} back={words.backToAll} onAll={onAll} onClose={onClose}>
      {(it) => <Shown it={it} />}
    </OpenedWork>
  );
}

function Shown({ it }: { it: Import }) {
  const { workspace } = useWhere();
  const cancel = useCancelImport(workspace.id, it.id);
  const { counts } = it;
  return (
    <>
      <WorkProgress of={it} done={counts.done} all={counts.rows} says={words.of(counts.done, counts.rows)} />
      <Facts>
        <Fact name={words.created}>{words.count(counts.created)}</Fact>
        <Fact name={words.updated}>{words.count(counts.updated)}</Fact>
        <Fact name={words.kept}>{words.count(counts.kept)}</Fact>
        <Fact name={words.rejected} tone={counts.rejected > 0 ? 'bad' : undefined}>
          {words.count(counts.rejected)}
        </Fact>
      </Facts>
      {counts.still_opted_out > 0 && <Text mb="sm">{words.stillOptedOut(counts.still_opted_out)}</Text>}
      {!isOver(it) && <CancelWork verb={words.cancel} cancel={cancel} />}
      {isOver(it) && counts.rejected > 0 && <Rejected id={it.id} />}
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
