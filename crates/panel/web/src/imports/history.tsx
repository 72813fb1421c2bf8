import { Title } from '@mantine/core';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { imports as words } from '../i18n/en/imports';
import { type Import, useImports } from './api';
import classes from './imports.module.css';
import { ImportState } from './state';

const figure = (key: 'created' | 'updated' | 'rejected'): Column<Import> => ({
  key,
  header: words[key],
  align: 'end',
  render: ({ counts }) => words.count(counts[key]),
});
const COLUMNS: Column<Import>[] = [
  { key: 'when', header: words.when, render: (it) => <When at={it.created_at} /> },
  { key: 'status', header: words.status, render: (it) => <ImportState status={it.status} /> },
  { key: 'rows', header: words.rows, align: 'end', render: (it) => words.count(it.counts.rows) },
  figure('created'),
  figure('updated'),
  figure('rejected'),
];

/** What was taken in lately; nothing where there was nothing. */
export function History({ onOpen }: { onOpen: (id: string) => void }) {
  const { workspace } = useWhere();
  const list = useImports(workspace.id);
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  if (list.error && !list.data) return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (rows.length === 0) return null;
  return (
    <div className={classes.past}>
      <Title order={2}>{words.past}</Title>
      <p className="dimmed">{words.pastHint}</p>
      <div className={classes.scroll}>
        <DataTable
          label={words.past}
          columns={COLUMNS}
          rows={rows}
          rowKey={(it) => it.id}
          onOpen={(it) => onOpen(it.id)}
          more={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
          loadingMore={list.isFetchingNextPage}
        />
      </div>
    </div>
  );
}
