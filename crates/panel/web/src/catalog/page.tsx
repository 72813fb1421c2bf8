import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useSearchState } from '../app/search-state';
import { FindBox } from '../components/find-box';
import { GuardedDrawer } from '../components/guarded';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { Empty } from '../components/states';
import { DataTable } from '../components/table';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Catalog, Row } from './catalog';
import classes from './catalog.module.css';
import { CreateForm } from './create-form';
import { EditForm } from './edit-form';
import { type CatalogSearch, matching } from './search';

const t = texts('catalog');

/** The page of a catalog: its rows, and the open row in a drawer. */
export function CatalogPage<It extends Row, Draft extends object>({ of }: { of: Catalog<It, Draft> }) {
  const { role } = useWhere();
  const [search, show] = useSearchState<CatalogSearch>();
  const { list } = of;
  const close = () => show({ create: undefined, open: undefined, filter: undefined });
  const create = mayWrite(role) && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => show({ create: true, open: undefined })}>
      {of.words('create')}
    </Button>
  );
  const opened = list.data?.find((it) => it.id === search.open);
  // A row outside the filter can still be open. It is read separately.
  const openId = opened?.id ?? (of.pages ? search.open : undefined);
  return (
    <Page
      title={of.words('title')}
      description={of.words('description')}
      call={of.call}
      action={create || undefined}
    >
      <Loaded asked={list}>
        {(data) =>
          data.length === 0 && !search.q ? (
            <Empty title={t('emptyTitle')} action={create || undefined} call={of.example}>
              {of.words('emptyText')}
            </Empty>
          ) : (
            <List of={of} rows={data} search={search} show={show} />
          )
        }
      </Loaded>
      <GuardedDrawer
        opened={(search.create === true && mayWrite(role)) || openId !== undefined}
        onClose={close}
        size={of.width}
        title={openId ? (opened?.name ?? of.words('title')) : of.words('create')}
      >
        {openId ? (
          <EditForm key={openId} of={of} id={openId} onGone={close} />
        ) : (
          <CreateForm of={of} onDone={close} />
        )}
      </GuardedDrawer>
    </Page>
  );
}

interface ListProps<It extends Row, Draft extends object> {
  of: Catalog<It, Draft>;
  rows: It[];
  search: CatalogSearch;
  show: (next: CatalogSearch) => void;
}

function List<It extends Row, Draft extends object>({ of, rows, search, show }: ListProps<It, Draft>) {
  const { said, pages } = of;
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  const shown = said ? matching(rows, search.q ?? '', said) : rows;
  return (
    <>
      <div className={classes.filters}>
        <FindBox label={of.words('filter')} value={search.q} onChange={find} />
        <span className="dimmed figures" role="status">
          {shownOf(pages?.total ?? shown.length, pages?.total ?? rows.length)}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty
          title={t('noMatch', { text: search.q ?? '' })}
          action={
            <Button variant="default" onClick={() => find(undefined)}>
              {t('clear')}
            </Button>
          }
        >
          {t('noMatchHint')}
        </Empty>
      ) : (
        <DataTable
          label={of.words('title')}
          columns={of.columns}
          rows={shown}
          rowKey={(it) => it.id}
          openKey={search.open}
          onOpen={(it) => show({ open: it.id, create: undefined })}
          more={pages?.more}
          loadingMore={pages?.loadingMore}
        />
      )}
    </>
  );
}

const shownOf = (shown: number, all: number) => (shown === all ? number(all) : t('countOf', { shown, all }));
