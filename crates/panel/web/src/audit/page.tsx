import { Text } from '@mantine/core';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { adminPage } from '../components/admin-page';
import { FoundList } from '../components/found-list';
import { shortened } from '../components/id';
import { Named } from '../components/named';
import { Page } from '../components/page';
import { SideDrawer, stepIn } from '../components/side-drawer';
import { Empty } from '../components/states';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import type { Names } from '../usage/api';
import { useNames } from '../usage/use-log';
import { type AuditEntry, auditPath, useAuditLog } from './api';
import { attributeName, describeAction } from './describe-action';
import { EntryDetails } from './details';
import { AuditFilterBar } from './filters';
import { type AuditSearch, filtersOf, isFiltered } from './search';
import { type NameOfObject, useObjectNames } from './use-names';
import { whoOf } from './who';

const t = texts('audit');

/** Settings › Audit log. */
export const AuditLog = adminPage(t, Log);

const CLEAR: AuditSearch = {
  type: undefined,
  action: undefined,
  object: undefined,
  actor: undefined,
  from: undefined,
  to: undefined,
};

function Log() {
  const ws = useWhere().workspace.id;
  const [search, show] = useSearchState<AuditSearch>();
  const names = useNames(ws).data;
  const list = useAuditLog(ws, filtersOf(search));
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  const nameOf = useObjectNames(ws, rows, names);
  const open = rows.find((it) => it.id === search.open);
  const close = useCallback(() => show({ open: undefined }), [show]);
  const ids = rows.map((it) => it.id);
  return (
    <Page
      title={t('title')}
      description={t('description')}
      call={{ path: auditPath(ws), credential: '$TIDINGS_TOKEN' }}
      wide
    >
      <FoundList
        label={t('title')}
        list={list}
        columns={columnsOf(names, nameOf)}
        rowKey={(it) => it.id}
        openKey={search.open}
        onOpen={(it) => show({ open: it.id })}
        filters={<AuditFilterBar search={search} names={names} show={show} />}
        isFiltered={isFiltered(search)}
        noMatch={{ title: t('noMatch'), hint: t('noMatchHint'), clear: t('clearFilters') }}
        onClear={() => show(CLEAR)}
        empty={<Empty title={t('emptyTitle')}>{t('emptyText')}</Empty>}
      />
      <SideDrawer
        label={t('change')}
        id={list.data && search.open}
        step={stepIn(ids, search.open, (open) => show({ open }))}
        onClose={close}
      >
        {open ? (
          <EntryDetails entry={open} names={names} nameOf={nameOf} show={show} />
        ) : (
          <Text c="dimmed">{t('gone')}</Text>
        )}
      </SideDrawer>
    </Page>
  );
}

const columnsOf = (names: Names | undefined, nameOf: NameOfObject): Column<AuditEntry>[] => [
  { key: 'when', header: t('time'), width: 140, render: (it) => <When at={it.at} /> },
  {
    key: 'who',
    header: t('actor'),
    render: (it) => <span className="one-line">{whoOf(it.actor, names)}</span>,
  },
  { key: 'what', header: t('action'), isMain: true, render: (it) => describeAction(it.action) },
  {
    key: 'which',
    header: t('object'),
    render: ({ object }) => {
      const name = object.name ?? (object.id && nameOf(object.id));
      if (name) return <Named text={name} />;
      if (!object.id) return null;
      return (
        <span className="mono-small dimmed" title={object.id}>
          {shortened(object.id)}
        </span>
      );
    },
  },
  {
    key: 'changed',
    header: t('changed'),
    render: (it) => {
      const changed = Object.keys(it.changes).map(attributeName).join(', ');
      return (
        <span className="one-line dimmed" title={changed}>
          {changed}
        </span>
      );
    },
  },
];
