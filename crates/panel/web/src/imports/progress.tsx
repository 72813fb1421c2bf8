import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useWhere } from '../app/here';
import { Fact, Facts } from '../components/facts';
import { saveFile } from '../components/save-file';
import { Failure } from '../components/states';
import { CancelWork, isOver, OpenedWork, WorkProgress } from '../components/work';
import { number } from '../i18n/format';
import { language } from '../i18n/language';
import { texts } from '../i18n/texts';
import { rejectedOf, useCancelImport, useImport } from './api';
import type { Import } from './check';
import { Reasons } from './reasons';

const t = texts('imports');

interface Props {
  id: string;
  /** Returns to the list of imports. */
  onAll: () => void;
  onClose: () => void;
}

/** The progress of an import, then its result. */
export function ImportProgress({ id, onAll, onClose }: Props) {
  const { workspace } = useWhere();
  const found = useImport(workspace.id, id);
  return (
    <OpenedWork found={found} back={t('backToAll')} onAll={onAll} onClose={onClose}>
      {(it) => <Shown it={translated(it)} />}
    </OpenedWork>
  );
}

/** Translates the error of an import. */
function translated(it: Import): Import {
  if (it.error?.code !== 'every_row_rejected' || language() === 'en') return it;
  return { ...it, error: { ...it.error, message: t('everyRowRejected') } };
}

function Shown({ it }: { it: Import }) {
  const { workspace } = useWhere();
  const cancel = useCancelImport(workspace.id, it.id);
  const { counts } = it;
  const skipped = counts.skipped_cells ?? 0;
  return (
    <>
      <WorkProgress
        of={it}
        done={counts.done}
        all={counts.rows}
        says={t('of', { done: counts.done, count: counts.rows })}
      />
      <Facts>
        <Fact name={t('created')}>{number(counts.created)}</Fact>
        <Fact name={t('updated')}>{number(counts.updated)}</Fact>
        <Fact name={t('kept')}>{number(counts.kept)}</Fact>
        <Fact name={t('rejected')} tone={counts.rejected > 0 ? 'bad' : undefined}>
          {number(counts.rejected)}
        </Fact>
        <Fact name={t('skippedCells')} tone={skipped > 0 ? 'wait' : undefined}>
          {number(skipped)}
        </Fact>
      </Facts>
      {counts.still_opted_out > 0 && (
        <Text mb="sm">{t('stillOptedOut', { count: counts.still_opted_out })}</Text>
      )}
      {counts.clock_changes > 0 && <Text mb="sm">{t('clockChanges', { count: counts.clock_changes })}</Text>}
      {!isOver(it) && <CancelWork verb={t('cancel')} cancel={cancel} />}
      {isOver(it) && (counts.rejected > 0 || skipped > 0) && (
        <>
          <Reasons id={it.id} />
          <Download id={it.id} />
        </>
      )}
    </>
  );
}

function Download({ id }: { id: string }) {
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
        h="auto"
        mih={36}
        py={6}
        styles={{ label: { whiteSpace: 'normal', lineHeight: 1.3 } }}
        onClick={() => save.mutate()}
      >
        {t('download')}
      </Button>
      <Text size="sm" c="dimmed" mt={4}>
        {t('downloadHint')}
      </Text>
      {save.error && <Failure error={save.error} />}
    </>
  );
}
