import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useWhere } from '../app/here';
import { useAccount } from '../app/use-session';
import { Empty, Failure, Waiting } from '../components/states';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { useChannels, useConversations } from './api';
import { type KeyAction, keyAction, step, useKeys } from './keys';
import classes from './list.module.css';
import { NextOption } from './next-option';
import { nameOf, useContacts } from './people';
import { Row } from './row';
import { type InboxSearch, ORDERS, orderOf, rowsOf, VIEWS } from './views';

const t = texts('inbox');
const common = texts('common');

interface Props {
  search: InboxSearch;
  open: string | undefined;
  show: (next: InboxSearch) => void;
  /** Opens a conversation. */
  go: (conversation: string) => void;
}

/** The conversations of a view. `j` and `k` move the focus through its rows. */
export function ConversationList({ search, open, show, go }: Props) {
  const { workspace } = useWhere();
  const { user } = useAccount();
  const view = search.view ?? 'open';
  const list = useConversations(workspace.id, view, user.id, search.channel);
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
    // Without a focused or open row, the first step goes to the first row.
    const to = from >= 0 ? step(from, action, rows.length) : 0;
    if (to !== undefined) buttons[to]?.focus();
  };
  useKeys({ next: () => walk('next'), previous: () => walk('previous') });
  const press = (event: React.KeyboardEvent<HTMLButtonElement>) => {
    const action = keyAction(event, 'row');
    if (!action) return;
    walk(action);
    event.preventDefault();
  };

  return (
    <section className={classes.pane} aria-label={t('list')} data-pane="list">
      <ListHead search={search} show={show} total={list.data?.pages[0]} />
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
              {common('loadMore')}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

function Nothing({ search, show }: Pick<Props, 'search' | 'show'>) {
  if (search.channel) {
    const all = (
      <Button variant="default" onClick={() => show({ ...search, channel: undefined })}>
        {t('showAll')}
      </Button>
    );
    return (
      <Empty title={t('nothingOn')} action={all}>
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
  total: { total?: number; total_is_capped?: boolean } | undefined;
}

function ListHead({ search, show, total }: HeadProps) {
  const view = search.view ?? 'open';
  const count = total?.total;
  return (
    <div className={classes.head}>
      <div className={classes.title}>
        <nav className={classes.views} aria-label={t('viewsLabel')}>
          {VIEWS.map((it) => (
            <Link
              key={it}
              to="."
              search={
                ((before: InboxSearch) => ({ ...before, view: it === 'open' ? undefined : it })) as never
              }
              className={classes.view}
              activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
              aria-current={it === view ? 'page' : undefined}
            >
              {t(`views.${it}`)}
              {it === view && count !== undefined && (
                <span className="figures">
                  {total?.total_is_capped ? t('capped', { count }) : number(count)}
                </span>
              )}
            </Link>
          ))}
        </nav>
        <ListMenu search={search} show={show} />
      </div>
    </div>
  );
}

function ListMenu({ search, show }: Pick<Props, 'search' | 'show'>) {
  const { workspace } = useWhere();
  const channels = useChannels(workspace.id);
  const order = orderOf(search);
  const usual = orderOf({ view: search.view });
  const item = (key: string, label: string, chosen: boolean, next: InboxSearch) => (
    <Menu.Item
      key={key}
      role="menuitemradio"
      aria-checked={chosen}
      rightSection={chosen ? <IconCheck size={14} aria-hidden /> : undefined}
      onClick={() => show({ ...search, ...next })}
    >
      {label}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant={search.channel || search.order ? 'default' : 'subtle'}
          color="gray"
          aria-label={t('arrange')}
        >
          <IconAdjustmentsHorizontal size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('order')}</Menu.Label>
        {ORDERS.map((it) =>
          item(it, t(`orders.${it}`), it === order, { order: it === usual ? undefined : it }),
        )}
        <Menu.Label>{t('channel')}</Menu.Label>
        {item('all', t('allChannels'), !search.channel, { channel: undefined })}
        {channels.map((it) => item(it.id, it.name, it.id === search.channel, { channel: it.id }))}
        <NextOption />
      </Menu.Dropdown>
    </Menu>
  );
}
