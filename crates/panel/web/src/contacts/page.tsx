import { Button } from '@mantine/core';
import { IconPlus, IconTableImport } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useSearchState } from '../app/search-state';
import { audienceOf } from '../bulk/audience';
import { BulkDialog, CHOSEN as CHOSEN_BULK, NEW as NEW_BULK } from '../bulk/dialog';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { morePages } from '../components/table';
import { texts } from '../i18n/texts';
import { useSegments } from '../segments/api';
import { useContacts, useSegment } from './api';
import { BulkBar } from './bulk-bar';
import { callOf, countOf } from './call';
import { useChosenColumns } from './chosen-columns';
import { ColumnPicker } from './column-picker';
import { CreateContact } from './create';
import { exportedOf } from './export';
import { ExportDialog } from './export-dialog';
import { FilterBar } from './filter-bar';
import { FilterPanel } from './filter-panel';
import { asked } from './query';
import type { ContactSearch } from './search';
import { ContactTable } from './table';
import { useEverything } from './use-everything';
import { useSelection } from './use-selection';

const t = texts('contacts');
const imports = texts('imports');

/** People › Contacts. */
export function Contacts() {
  const { workspace, role } = useWhere();
  const [search, show] = useSearchState<ContactSearch>();
  const navigate = useNavigate();
  const [filtering, setFiltering] = useState(false);
  const setFilter = useCallback((filter: ContactSearch['filter']) => show({ filter }), [show]);
  // The server counts the contacts of each segment, so segments are loaded only when the user selects one or
  // has selected one.
  const [choosing, setChoosing] = useState(false);
  const segments = useSegments(workspace.id, choosing || search.segment !== undefined);
  const segment = useSegment(workspace.id, search.filter ? search.segment : undefined);
  const of = asked(search, segment.data?.condition);
  const list = useContacts(workspace.id, of);
  const selection = useSelection();
  const columns = useChosenColumns();
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data]);
  const listKey = `${workspace.id} ${JSON.stringify(of)}`;
  const everything = useEverything({
    ws: workspace.id,
    listKey,
    audience: audienceOf(search, segment.data?.condition),
    rows,
    hasMore: list.hasNextPage,
    selection,
  });
  const narrowed = Boolean(search.q || search.filter || search.segment || search.deleted);
  const error = list.data ? null : (list.error ?? segment.error);
  const writes = mayWrite(role);
  const exported = exportedOf(of);
  const [exporting, setExporting] = useState(false);
  const create = writes && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => show({ create: true })}>
      {t('create')}
    </Button>
  );
  const clear = () => show({ q: undefined, filter: undefined, segment: undefined, deleted: undefined });

  return (
    <Page
      title={t('contacts')}
      description={t('description')}
      call={callOf(of)}
      action={
        create && (
          <>
            <Button
              variant="default"
              leftSection={<IconTableImport size={16} />}
              onClick={() => void navigate({ to: '/contacts/import' })}
            >
              {imports('open')}
            </Button>
            {create}
          </>
        )
      }
      wide
    >
      <FilterBar
        search={search}
        show={show}
        segments={segments.data ?? []}
        openSegments={() => setChoosing(true)}
        filtering={filtering}
        toggleFilter={() => setFiltering(!filtering)}
        changeAll={writes && !search.deleted && rows.length > 0 ? () => show({ bulk: NEW_BULK }) : undefined}
        exportAll={exported && rows.length > 0 ? () => setExporting(true) : undefined}
        columns={<ColumnPicker columns={columns} />}
        count={list.data && !list.isPlaceholderData ? countOf(list.data.pages, list.hasNextPage) : ''}
      />
      {!search.deleted && (
        <FilterPanel
          filter={search.filter}
          onChange={setFilter}
          open={filtering}
          setOpen={setFiltering}
          error={list.error}
        />
      )}
      {error ? (
        <Failure error={error} retry={() => void (segment.error ? segment : list).refetch()} />
      ) : list.isPending ? (
        <Waiting lines={10} />
      ) : rows.length === 0 ? (
        narrowed ? (
          <Empty
            title={t('noContacts')}
            action={
              <Button variant="default" onClick={clear}>
                {t('clearFilters')}
              </Button>
            }
          >
            {t('noMatchHint')}
          </Empty>
        ) : (
          <Empty
            title={t('empty')}
            action={create || undefined}
            call={{
              method: 'POST',
              path: '/api/v1/contacts',
              body: { email: 'ada@example.com', first_name: 'Ada' },
            }}
          >
            {t('emptyHint')}
          </Empty>
        )
      ) : (
        <ContactTable
          key={JSON.stringify(of)}
          listKey={listKey}
          rows={rows}
          columns={columns.shown}
          total={list.hasNextPage ? undefined : rows.length}
          sort={search.sort ?? '-created_at'}
          onSort={(sort) => show({ sort: sort === '-created_at' ? undefined : sort })}
          onOpen={({ id }) => void navigate({ to: '/contacts/$id', params: { id } })}
          selection={writes && !search.deleted ? everything.selection : undefined}
          {...morePages(list)}
          moreError={list.isFetchNextPageError ? list.error : undefined}
        />
      )}
      <BulkBar
        everything={everything}
        rows={rows}
        onMore={(of) => show({ bulk: of === 'chosen' ? CHOSEN_BULK : NEW_BULK })}
      />
      {exported && <ExportDialog of={exported} opened={exporting} onClose={() => setExporting(false)} />}
      {writes && (
        <>
          <CreateContact opened={search.create === true} onClose={() => show({ create: undefined })} />
          <BulkDialog search={search} chosen={selection.ids} show={(it) => show({ bulk: it })} />
        </>
      )}
    </Page>
  );
}
