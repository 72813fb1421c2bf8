import { Text } from '@mantine/core';
import { useWhere } from '../app/here';
import { Fact, Facts } from '../components/facts';
import { GuardedModal } from '../components/guarded';
import { Failure, Waiting } from '../components/states';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { CancelWork, isOver, OpenedWork, PastWork, WorkProgress, WorkState } from '../components/work';
import { useTags } from '../conditions/use-fields';
import { useSegment } from '../contacts/api';
import type { ContactSearch } from '../contacts/search';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { type BulkOperation, useCancel, useOperation, useOperations } from './api';
import { audienceOf } from './audience';
import { BulkForm } from './form';

const t = texts('bulk');
const common = texts('common');

/** As the address has it: a new operation, or the id of one. */
export const NEW = 'new';

interface Props {
  search: ContactSearch;
  show: (opened: string | undefined) => void;
}

/** Does the same to all whom the list shows: what, how many, how far it is, and what was done before. */
export function BulkDialog({ search, show }: Props) {
  const opened = search.bulk;
  return (
    <GuardedModal
      opened={opened !== undefined}
      onClose={() => show(undefined)}
      title={t('title')}
      size={640}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {opened !== undefined && opened !== NEW ? (
        <Going id={opened} onAll={() => show(NEW)} onClose={() => show(undefined)} />
      ) : (
        <Begin search={search} show={show} />
      )}
    </GuardedModal>
  );
}

function Begin({ search, show }: Props) {
  const { workspace } = useWhere();
  const segment = useSegment(workspace.id, search.segment);
  const list = useOperations(workspace.id);
  const audience = audienceOf(search, segment.data?.condition);
  return (
    <>
      {audience ? (
        <BulkForm audience={audience} onStarted={show} />
      ) : segment.error ? (
        <Failure error={segment.error} retry={() => void segment.refetch()} />
      ) : (
        <Waiting lines={4} />
      )}
      <PastWork title={t('past')} hint={t('pastHint')} list={list} columns={columns()} onOpen={show} />
    </>
  );
}

interface GoingProps {
  id: string;
  onAll: () => void;
  onClose: () => void;
}

/** How far an operation is, and what came of it. */
function Going({ id, onAll, onClose }: GoingProps) {
  const { workspace } = useWhere();
  const found = useOperation(workspace.id, id);
  return (
    <OpenedWork found={found} back={t('all')} onAll={onAll} onClose={onClose}>
      {(it) => <Shown it={it} />}
    </OpenedWork>
  );
}

function Shown({ it }: { it: BulkOperation }) {
  const { workspace } = useWhere();
  const cancel = useCancel(workspace.id, it.id);
  // Others may have come to be chosen, or gone, meanwhile: when it is completed, all are done.
  const all = it.status === 'completed' ? it.done : Math.max(it.matched, it.done);
  return (
    <>
      <Text mb="sm">
        <Did it={it} />
      </Text>
      <WorkProgress of={it} done={it.done} all={all} says={t('doneOf', { done: it.done, count: all })} />
      <Facts>
        <Fact name={t('changed')}>{number(it.changed)}</Fact>
        <Fact name={t('unchanged')}>{number(it.unchanged)}</Fact>
        <Fact name={t('failed')} tone={it.failed > 0 ? 'bad' : undefined}>
          {number(it.failed)}
        </Fact>
      </Facts>
      {it.failed > 0 && (
        <Text c="dimmed" mb="sm">
          {t('failedHint')}
        </Text>
      )}
      {!isOver(it) && <CancelWork verb={t('cancel')} cancel={cancel} />}
    </>
  );
}

function Did({ it }: { it: BulkOperation }) {
  const tags = useTags().data;
  const { type, tag_id } = it.action;
  if (type === 'delete') return <span>{t('deleted')}</span>;
  const tag = tags?.find(({ id }) => id === tag_id)?.name;
  if (tags && tag === undefined) return <span>{t(`changesOfDeletedTag.${type}`)}</span>;
  return <span>{t(`changes.${type}`, { tag: tag ?? '…' })}</span>;
}

const columns = (): Column<BulkOperation>[] => [
  { key: 'when', header: t('started'), render: (it) => <When at={it.created_at} /> },
  { key: 'what', header: t('change'), render: (it) => <Did it={it} /> },
  { key: 'status', header: t('status'), render: (it) => <WorkState status={it.status} /> },
  { key: 'changed', header: t('changed'), align: 'end', render: (it) => number(it.changed) },
];
