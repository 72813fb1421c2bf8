import { useWhere } from '../app/here';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { PastWork, WorkState } from '../components/work';
import { imports as words } from '../i18n/en/imports';
import { type Import, useImports } from './api';

const figure = (key: 'created' | 'updated' | 'rejected'): Column<Import> => ({
  key,
  header: words[key],
  align: 'end',
  render: ({ counts }) => words.count(counts[key]),
});
const COLUMNS: Column<Import>[] = [
  { key: 'when', header: words.when, render: (it) => <When at={it.created_at} /> },
  { key: 'status', header: words.status, render: (it) => <WorkState status={it.status} /> },
  { key: 'rows', header: words.rows, align: 'end', render: (it) => words.count(it.counts.rows) },
  figure('created'),
  figure('updated'),
  figure('rejected'),
];

/** The imports of the last thirty days. */
export function History({ onOpen }: { onOpen: (id: string) => void }) {
  const { workspace } = useWhere();
  const list = useImports(workspace.id);
  return <PastWork title={words.past} hint={words.pastHint} list={list} columns={COLUMNS} onOpen={onOpen} />;
}
