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
import { en } from '../i18n/en';
import { bulk as words } from '../i18n/en/bulk';
import { type BulkOperation, useCancel, useOperation, useOperations } from './api';
import { audienceOf } from './audience';
import { BulkForm } from './form';

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
      title={words.title}
      size={640}
      closeButtonProps={{ 'aria-label': en.common.close }}
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
      <PastWork title={words.past} hint={words.pastHint} list={list} columns={COLUMNS} onOpen={show} />
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
    <OpenedWork found={found} back={words.all} onAll={onAll} onClose={onClose}>
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
      <WorkProgress of={it} done={it.done} all={all} says={words.of(it.done, all)} />
      <Facts>
        <Fact name={words.changed}>{words.figure(it.changed)}</Fact>
        <Fact name={words.unchanged}>{words.figure(it.unchanged)}</Fact>
        <Fact name={words.failed} tone={it.failed > 0 ? 'bad' : undefined}>
          {words.figure(it.failed)}
        </Fact>
      </Facts>
      {it.failed > 0 && (
        <Text c="dimmed" mb="sm">
          {words.failedHint}
        </Text>
      )}
      {!isOver(it) && <CancelWork verb={words.cancel} cancel={cancel} />}
    </>
  );
}

function Did({ it }: { it: BulkOperation }) {
  const tags = useTags().data;
  const name = tags?.find(({ id }) => id === it.action.tag_id)?.name ?? (tags ? words.aTag : '…');
  return <span>{words.did[it.action.type](name)}</span>;
}

const COLUMNS: Column<BulkOperation>[] = [
  { key: 'when', header: words.when, render: (it) => <When at={it.created_at} /> },
  { key: 'what', header: words.what, render: (it) => <Did it={it} /> },
  { key: 'status', header: words.status, render: (it) => <WorkState status={it.status} /> },
  { key: 'changed', header: words.changed, align: 'end', render: (it) => words.figure(it.changed) },
];
