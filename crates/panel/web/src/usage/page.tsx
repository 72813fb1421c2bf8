import { Button, Switch, Tabs, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { useWhere } from '../app/here';
import { adminPage } from '../components/admin-page';
import { Page } from '../components/page';
import { SideDrawer, stepIn } from '../components/side-drawer';
import { Failure } from '../components/states';
import { Status } from '../components/status';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { logPath } from './api';
import { RequestDetails } from './details';
import { download } from './export';
import { LogFilters } from './filters';
import { ErrorGroups, searchOfGroup } from './groups';
import { HistogramCard } from './histogram-card';
import classes from './log.module.css';
import { RequestList } from './request-list';
import { filtersOf, hasSpan, type LogSearch, spanOf } from './search';
import { useLive } from './use-live';
import { useLiveKey } from './use-live-key';
import { rowsOf, useErrorGroups, useNames, useRows } from './use-log';

const t = texts('usage');

/** Developers › Usage log. */
export const UsageLog = adminPage(t, Log);

function Log() {
  const ws = useWhere().workspace.id;
  const search = useSearch({ from: '/shell/developers/log' });
  const navigate = useNavigate({ from: '/developers/log' });
  const table = useRef<HTMLDivElement>(null);
  const [wanted, wantLive] = useState(false);
  // A fixed time range gets no new requests, and a request ID matches only one.
  const canBeLive = !hasSpan(search) && !search.request_id;
  const live = wanted && canBeLive;

  const rows = useRows(ws, search);
  const groups = useErrorGroups(ws, search, live);
  const names = useNames(ws);
  const tail = useLive(ws, search, {
    on: live,
    isReading: () => search.open !== undefined || (table.current?.getBoundingClientRect().top ?? 0) < 0,
  });
  const save = useMutation({ mutationFn: () => download(ws, search) });
  const shown = rowsOf(rows.data);

  const change = useCallback(
    (next: (it: LogSearch) => LogSearch, replace = true) =>
      void navigate({ search: (it) => ({ ...next(it), ws: it.ws }), replace, resetScroll: false }),
    [navigate],
  );
  const open = useCallback(
    (id: string | undefined) =>
      change((it) => ({ ...it, open: id }), id === undefined || search.open !== undefined),
    [change, search.open],
  );
  const close = useCallback(() => open(undefined), [open]);
  const switchLive = useCallback(() => {
    if (!canBeLive) change((it) => ({ ...it, from: undefined, to: undefined, request_id: undefined }));
    wantLive(!live);
  }, [canBeLive, live, change]);
  useLiveKey(table, switchLive);

  const ids = shown.map((row) => row.request_id);
  const showFresh = () => {
    tail.show();
    table.current?.scrollIntoView({ block: 'nearest' });
    window.scrollTo({ top: 0 });
  };

  return (
    <Page
      title={t('title')}
      description={t('description')}
      beside={
        live && (
          <Status tone={tail.failing ? 'wait' : 'ok'}>{tail.failing ? t('liveWaits') : t('liveOn')}</Status>
        )
      }
      call={{ path: withQuery(logPath(ws), search), credential: '$TIDINGS_TOKEN' }}
      action={
        <>
          <Tooltip label={t('exportHint')}>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              loading={save.isPending}
              onClick={() => save.mutate()}
            >
              {t('export')}
            </Button>
          </Tooltip>
          <Tooltip label={t('liveHint')}>
            <div className={classes.controls}>
              <Switch
                checked={live}
                onChange={switchLive}
                label={t('live')}
                aria-keyshortcuts="l"
                classNames={{ input: classes.input, track: classes.track, thumb: classes.thumb }}
              />
            </div>
          </Tooltip>
        </>
      }
    >
      {save.error && (
        <div className={classes.failure}>
          <Failure error={save.error} retry={() => save.mutate()} />
        </div>
      )}
      <LogFilters
        search={search}
        names={names.data}
        routes={[...new Set(shown.map((row) => row.route))].sort()}
        codes={[...new Set((groups.data ?? []).flatMap((it) => it.error_code ?? []))].sort()}
        onChange={change}
      />
      {!search.request_id && !(rows.error && shown.length === 0) && (
        <HistogramCard
          ws={ws}
          search={search}
          live={live}
          onChoose={(span) => change((it) => ({ ...it, ...span }), false)}
        />
      )}
      <div ref={table}>
        <Tabs
          value={search.tab ?? 'requests'}
          onChange={(tab) => change((it) => ({ ...it, tab: tab === 'errors' ? 'errors' : undefined }))}
          keepMounted={false}
        >
          <Tabs.List aria-label={t('tabs')}>
            <Tabs.Tab value="requests">{t('tabRequests')}</Tabs.Tab>
            <Tabs.Tab value="errors">
              {t('tabGroups')}
              {groups.data && <span className={classes.count}>{number(groups.data.length)}</span>}
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="requests" className={classes.panel}>
            {tail.waiting > 0 && (
              <div className={classes.fresh}>
                <Button size="xs" onClick={showFresh}>
                  {t('fresh', { count: tail.waiting })}
                </Button>
              </div>
            )}
            <RequestList
              ws={ws}
              query={rows}
              rows={shown}
              names={names.data}
              search={search}
              onOpen={open}
              onChange={change}
            />
          </Tabs.Panel>
          <Tabs.Panel value="errors" className={classes.panel}>
            <ErrorGroups
              groups={groups.data}
              error={groups.error}
              retry={() => void groups.refetch()}
              onChoose={(group) => change((it) => searchOfGroup(it, group), false)}
            />
          </Tabs.Panel>
        </Tabs>
      </div>
      <SideDrawer label={t('request')} id={search.open} step={stepIn(ids, search.open, open)} onClose={close}>
        {search.open && (
          <RequestDetails
            ws={ws}
            id={search.open}
            row={shown.find((row) => row.request_id === search.open)}
            names={names.data}
            search={search}
          />
        )}
      </SideDrawer>
    </Page>
  );
}

/** The API request for the list. */
function withQuery(path: string, search: LogSearch): string {
  // Rounded to the minute. Otherwise the text would change with each render.
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const query = Object.entries({ ...filtersOf(search), ...spanOf(search, now) }).filter(([, it]) => it);
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query as [string, string][])}`;
}
