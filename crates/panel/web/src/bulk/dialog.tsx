import { Text } from '@mantine/core';
import { useWhere } from '../app/here';
import { Fact, Facts } from '../components/facts';
import { GuardedModal } from '../components/guarded';
import { Failure, Waiting } from '../components/states';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { CancelWork, isOver, OpenedWork, PastWork, WorkProgress, WorkState } from '../components/work';
import { useSegment } from '../contacts/api';
import { named } from '../contacts/bulk-tags';
import type { ContactSearch } from '../contacts/search';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { type BulkOperation, useCancel, useOperation, useOperations } from './api';
import { audienceOf } from './audience';
import { BulkForm } from './form';
import { useObjectName } from './use-object-name';

const t = texts('bulk');

/**
 * Values of the search parameter: a new operation for the list or for selected contacts. Otherwise it is the
 * ID of an operation.
 */
export const NEW = 'new';
export const CHOSEN = 'chosen';

interface Props {
  search: ContactSearch;
  /** The IDs of the contacts that the user selected. */
  chosen?: string[];
  show: (opened: string | undefined) => void;
}

/**
 * The dialog for bulk operations: the action, the number of contacts, the progress, and earlier operations.
 */
export function BulkDialog({ search, chosen = [], show }: Props) {
  // The selection is lost after a reload.
  const opened = search.bulk === CHOSEN && chosen.length === 0 ? undefined : search.bulk;
  return (
    <GuardedModal opened={opened !== undefined} onClose={() => show(undefined)} title={t('title')} size={640}>
      {opened !== undefined && opened !== NEW && opened !== CHOSEN ? (
        <Going id={opened} onAll={() => show(NEW)} onClose={() => show(undefined)} />
      ) : (
        <Begin search={search} chosen={opened === CHOSEN ? chosen : undefined} show={show} />
      )}
    </GuardedModal>
  );
}

function Begin({ search, chosen, show }: Props) {
  const { workspace } = useWhere();
  const segment = useSegment(workspace.id, search.segment);
  const list = useOperations(workspace.id);
  const audience = chosen ? named(chosen) : audienceOf(search, segment.data?.condition);
  return (
    <>
      {audience ? (
        <BulkForm audience={audience} chosen={chosen?.length} onStarted={show} />
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
  // Other contacts may match during the operation. All are processed when it is completed.
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
        {it.skipped > 0 && <Fact name={t('skipped')}>{number(it.skipped)}</Fact>}
        {it.still_opted_out > 0 && <Fact name={t('optedOut')}>{number(it.still_opted_out)}</Fact>}
        <Fact name={t('failed')} tone={it.failed > 0 ? 'bad' : undefined}>
          {number(it.failed)}
        </Fact>
      </Facts>
      {it.skipped > 0 && <Hint>{it.action.type === 'enroll' ? t('skippedHint') : t('runsHint')}</Hint>}
      {it.still_opted_out > 0 && <Hint>{t('optedOutHint')}</Hint>}
      {it.failed > 0 && (
        <Hint>{it.action.type === 'start_flow' ? t('startedTooOften') : t('failedHint')}</Hint>
      )}
      {!isOver(it) && <CancelWork verb={t('cancel')} cancel={cancel} />}
    </>
  );
}

function Hint({ children }: { children: string }) {
  return (
    <Text c="dimmed" mb="sm">
      {children}
    </Text>
  );
}

function Did({ it }: { it: BulkOperation }) {
  const { type } = it.action;
  const name = useObjectName(it.action);
  if (type === 'delete') return <span>{t('deleted')}</span>;
  if (type === 'subscribe') return <span>{t('subscribed')}</span>;
  if (name === null && type !== 'set_field' && type !== 'clear_field')
    return <span>{t(`changesOfDeleted.${type}`)}</span>;
  return <span>{t(`changes.${type}`, { name: name ?? '…' })}</span>;
}

const columns = (): Column<BulkOperation>[] => [
  { key: 'when', header: t('started'), render: (it) => <When at={it.created_at} /> },
  { key: 'what', header: t('change'), render: (it) => <Did it={it} /> },
  { key: 'status', header: t('status'), render: (it) => <WorkState status={it.status} /> },
  { key: 'changed', header: t('changed'), align: 'end', render: (it) => number(it.changed) },
];
