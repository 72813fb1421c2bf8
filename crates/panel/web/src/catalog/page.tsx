import { Button, Drawer, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { DataTable } from '../components/table';
import { en } from '../i18n/en';
import { catalog as words } from '../i18n/en/catalog';
import type { Catalog, Row } from './catalog';
import classes from './catalog.module.css';
import { CreateForm } from './create-form';
import { EditForm } from './edit-form';
import { type CatalogSearch, matching } from './search';

/** The page of a catalog: its rows, and one of them in a drawer. */
export function CatalogPage<It extends Row, Draft extends object>({ of }: { of: Catalog<It, Draft> }) {
  const { role } = useWhere();
  const search = useSearch({ strict: false }) as CatalogSearch;
  const navigate = useNavigate();
  const { list } = of;
  const show = (next: CatalogSearch) =>
    void navigate({
      to: '.',
      search: ((it: CatalogSearch) => ({ ...it, ...next })) as never,
      replace: true,
      resetScroll: false,
    });
  const close = () => show({ create: undefined, open: undefined, filter: undefined });
  const create = mayWrite(role) && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => show({ create: true, open: undefined })}>
      {of.words.create}
    </Button>
  );
  const opened = list.data?.find((it) => it.id === search.open);
  return (
    <Page
      title={of.words.title}
      description={of.words.description}
      call={of.call}
      action={create || undefined}
    >
      {list.error && !list.data ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Waiting />
      ) : list.data?.length === 0 ? (
        <Empty title={words.emptyTitle} action={create || undefined} call={of.example}>
          {of.words.emptyText}
        </Empty>
      ) : (
        <List of={of} rows={list.data ?? []} search={search} show={show} />
      )}
      <Drawer
        opened={(search.create === true && mayWrite(role)) || opened !== undefined}
        onClose={close}
        size={of.width}
        title={opened ? opened.name : of.words.create}
        closeButtonProps={{ 'aria-label': en.common.close }}
      >
        {opened ? (
          <EditForm key={opened.id} of={of} id={opened.id} onGone={close} />
        ) : (
          <CreateForm of={of} onDone={close} />
        )}
      </Drawer>
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
  // The address follows what is typed, not the other way round: it comes a moment later.
  const [text, setText] = useState(search.q ?? '');
  const filter = (next: string) => {
    setText(next);
    show({ q: next || undefined });
  };
  const shown = matching(rows, text, of.said);
  return (
    <>
      <div className={classes.filters}>
        <TextInput
          className={classes.filter}
          aria-label={of.words.filter}
          placeholder={of.words.filter}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => filter(event.currentTarget.value)}
        />
        <span className="dimmed figures" role="status">
          {words.count(shown.length, rows.length)}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty
          title={words.noMatch(text.trim())}
          action={
            <Button variant="default" onClick={() => filter('')}>
              {words.clear}
            </Button>
          }
        >
          {words.noMatchHint}
        </Empty>
      ) : (
        <DataTable
          label={of.words.title}
          columns={of.columns}
          rows={shown}
          rowKey={(it) => it.id}
          openKey={search.open}
          onOpen={(it) => show({ open: it.id, create: undefined })}
        />
      )}
    </>
  );
}
