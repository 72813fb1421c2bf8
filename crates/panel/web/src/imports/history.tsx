import { useWhere } from '../app/here';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { PastWork, WorkState } from '../components/work';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { useImports } from './api';
import type { Import } from './check';

const t = texts('imports');

const figure = (key: 'created' | 'updated' | 'rejected'): Column<Import> => ({
  key,
  header: t(key),
  align: 'end',
  render: ({ counts }) => number(counts[key]),
});
const columns = (): Column<Import>[] => [
  { key: 'when', header: t('when'), render: (it) => <When at={it.created_at} /> },
  { key: 'status', header: t('status'), render: (it) => <WorkState status={it.status} /> },
  { key: 'rows', header: t('rows'), align: 'end', render: (it) => number(it.counts.rows) },
  figure('created'),
  figure('updated'),
  figure('rejected'),
];

/** The imports of the last 30 days. */
export function History({ onOpen }: { onOpen: (id: string) => void }) {
  const { workspace } = useWhere();
  const list = useImports(workspace.id);
  return <PastWork title={t('past')} hint={t('pastHint')} list={list} columns={columns()} onOpen={onOpen} />;
}
