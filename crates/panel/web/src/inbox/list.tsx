import { Button } from '@mantine/core';
import { lazy, Suspense, useCallback, useRef } from 'react';
import { loadPart } from '../api/connection';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useAccount } from '../app/use-session';
import { FindBox } from '../components/find-box';
import { Empty, Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import { ActiveFilters } from './active-filters';
import { useChannels, useConversations } from './api';
import { type KeyAction, keyAction, step, useKeys } from './keys';
import classes from './list.module.css';
import { ListMenu } from './list-menu';
import { NewConversation } from './new-conversation';
import { nameOf, useContacts } from './people';
import { Row } from './row';
import { useSelection } from './selection';
import type { Count } from './view-counts';
import { type InboxSearch, isFiltered, rowsOf, withoutFilters } from './views';
import { ViewsNav } from './views-nav';

const t = texts('inbox');

const BulkBar = lazy(() =>
  loadPart(() => import('./bulk-bar')).then(({ BulkBar: part }) => ({ default: part })),
);

interface Props {
  search: InboxSearch;
  open: string | undefined;
  show: (next: InboxSearch) => void;
  go: (conversation: string) => void;
}

/** The conversations of a view. `j` and `k` move the focus through its rows. */
export function ConversationList({ search, open, show, go }: Props) {
  const { workspace, role } = useWhere();
  const { user } = useAccount();
  const list = useConversations(workspace.id, search, user.id);
  const channels = useChannels(workspace.id);
  const rows = rowsOf(list.data?.pages.flatMap((page) => page.data) ?? [], search);
  const contact = useContacts(
    workspace.id,
    rows.map((it) => it.contact_id),
  );
  const box = useRef<HTMLDivElement>(null);
  const stop = Math.max(
    0,
    rows.findIndex((it) => it.id === open),
  );

  const walk = (action: KeyAction) => {
    const buttons = [...(box.current?.querySelectorAll<HTMLElement>('[data-conversation]') ?? [])];
    const focused = buttons.indexOf(document.activeElement as HTMLElement);
    const opened = rows.findIndex((it) => it.id === open);
    const from = focused >= 0 ? focused : opened;
    // Without a focused or open row, the first step leads to the first row.
    const to = from >= 0 ? step(from, action, rows.length) : 0;
    if (to !== undefined) buttons[to]?.focus();
  };
  const selection = useSelection(rows);
  const toggleFocused = () => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-conversation]');
    const id = focused?.dataset.conversation ?? open;
    if (id && rows.some((it) => it.id === id)) selection.toggle(id);
  };
  useKeys({
    next: () => walk('next'),
    previous: () => walk('previous'),
    ...(mayWrite(role) && { select: toggleFocused }),
  });
  const press = (event: React.KeyboardEvent<HTMLButtonElement>) => {
    const action = keyAction(event, 'row');
    if (!action) return;
    walk(action);
    event.preventDefault();
  };

  return (
    <section className={classes.pane} aria-label={t('list')} data-pane="list">
      <ListHead
        search={search}
        show={show}
        current={currentCount(list.data?.pages[0])}
        select={selection.start}
      />
      <div ref={box} className={classes.scroll}>
        {list.error && !list.data ? (
          <div className={classes.fill}>
            <Failure error={list.error} retry={() => void list.refetch()} />
          </div>
        ) : list.isPending ? (
          <div className={classes.fill}>
            <Waiting />
          </div>
        ) : rows.length === 0 ? (
          <div className={classes.fill}>
            <Nothing search={search} show={show} />
          </div>
        ) : (
          rows.map((it, at) => (
            <Row
              key={it.id}
              ws={workspace.id}
              conversation={it}
              name={nameOf(contact(it.contact_id), it.contact_id)}
              channel={channels.find((channel) => channel.id === it.channel_id)}
              me={user.id}
              open={it.id === open}
              selected={selection.isOn ? selection.has(it.id) : undefined}
              onSelect={() => selection.toggle(it.id)}
              stop={at === stop}
              onOpen={() => go(it.id)}
              onKeyDown={press}
            />
          ))
        )}
        {list.hasNextPage && (
          <div className={classes.fill}>
            <Button
              variant="subtle"
              fullWidth
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {t('loadMore')}
            </Button>
          </div>
        )}
      </div>
      {selection.isOn && (
        <Suspense>
          <BulkBar
            selected={selection.selected}
            shown={rows.length}
            nameOf={(it) => nameOf(contact(it.contact_id), it.contact_id)}
            selectAll={selection.all}
            keep={selection.keep}
            onEnd={selection.end}
          />
        </Suspense>
      )}
    </section>
  );
}

/** The number of conversations in the view, from its list. */
function currentCount(first: { total?: number; total_is_capped?: boolean } | undefined): Count | undefined {
  return first?.total === undefined
    ? undefined
    : { count: first.total, more: first.total_is_capped ?? false };
}

function Nothing({ search, show }: Pick<Props, 'search' | 'show'>) {
  if (isFiltered(search)) {
    const actions = (
      <>
        {search.q && search.view !== 'all' && (
          <Button variant="default" onClick={() => show({ ...search, view: 'all' })}>
            {t('searchAll')}
          </Button>
        )}
        <Button variant="default" onClick={() => show(withoutFilters(search))}>
          {t('showAll')}
        </Button>
      </>
    );
    return (
      <Empty title={t('nothingOn')} action={actions}>
        {t('nothingOnHint')}
      </Empty>
    );
  }
  const view = search.view ?? 'open';
  const other = view === 'open' ? 'bot' : 'open';
  return (
    <Empty
      title={t(`empty.${view}`)}
      action={
        <Button
          variant="default"
          onClick={() => show({ ...search, view: other === 'open' ? undefined : other })}
        >
          {t('showView', { view: t(`views.${other}`) })}
        </Button>
      }
    >
      {t(`emptyHint.${view}`)}
    </Empty>
  );
}

interface HeadProps extends Pick<Props, 'search' | 'show'> {
  /** The number of conversations in the open view. */
  current: Count | undefined;
  select: () => void;
}

function ListHead({ search, show, current, select }: HeadProps) {
  const { role } = useWhere();
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  return (
    <div className={classes.head}>
      <div className={classes.title}>
        <ViewsNav search={search} current={current} />
        <div className={classes.tools}>
          {mayWrite(role) && <NewConversation />}
          <ListMenu search={search} show={show} select={select} />
        </div>
      </div>
      <div className={classes.find}>
        <FindBox label={t('findConversation')} value={search.q} onChange={find} />
      </div>
      <ActiveFilters search={search} show={show} />
    </div>
  );
}
