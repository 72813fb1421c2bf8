import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
import { FoundList } from '../components/found-list';
import { Page } from '../components/page';
import { Empty } from '../components/states';
import { Status } from '../components/status';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { broadcasts as words } from '../i18n/en/broadcasts';
import { useBroadcasts } from './api';
import { CreateBroadcast } from './create';
import { type Broadcast, type BroadcastStatus, percentOf, SUBSCRIBED, TONES } from './draft';

interface Search {
  create?: boolean;
  q?: string;
  status?: string;
}

const STATES = Object.keys(words.states) as BroadcastStatus[];

/** Automation › Broadcasts. */
export function Broadcasts() {
  const { workspace, role } = useWhere();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const status = STATES.find((it) => it === search.status);
  const list = useBroadcasts(workspace.id, { q: search.q, status });
  const show = useCallback(
    (next: Search) =>
      void navigate({
        to: '.',
        search: ((it: Search) => ({ ...it, ...next })) as never,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  const create = mayWrite(role) && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => show({ create: true })}>
      {words.create}
    </Button>
  );
  return (
    <Page
      title={words.title}
      description={words.description}
      call={{ path: '/api/v1/broadcasts' }}
      action={create || undefined}
    >
      <FoundList
        label={words.title}
        list={list}
        columns={COLUMNS}
        onOpen={(it) => void navigate({ to: '/broadcasts/$id', params: { id: it.id } })}
        filters={
          <>
            <FindBox label={words.filter} value={search.q} onChange={find} />
            <Choice
              label={words.state}
              width={150}
              value={status}
              options={STATES.map((value) => ({ value, label: words.states[value] }))}
              onChange={(next) => show({ status: next })}
            />
          </>
        }
        isFiltered={Boolean(search.q || status)}
        noMatch={{ title: words.noMatch, hint: words.noMatchHint, clear: words.showAll }}
        onClear={() => show({ q: undefined, status: undefined })}
        count={words.count}
        empty={
          <Empty
            title={words.emptyTitle}
            action={create || undefined}
            call={{
              method: 'POST',
              path: '/api/v1/broadcasts',
              body: {
                name: words.namePlaceholder,
                audience: SUBSCRIBED,
                message: { type: 'text', text: 'We open at nine.' },
              },
            }}
          >
            {words.emptyText}
          </Empty>
        }
      />
      {mayWrite(role) && (
        <CreateBroadcast opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </Page>
  );
}

const figure = (key: keyof Broadcast['stats'], header: string): Column<Broadcast> => ({
  key,
  header,
  align: 'end',
  render: ({ stats, started_at: began }) =>
    began ? stats[key].toLocaleString('en') : <span className="dimmed">–</span>,
});

const COLUMNS: Column<Broadcast>[] = [
  {
    key: 'name',
    header: words.name,
    render: (it) => (
      <span className="named one-line" title={it.name}>
        {it.name}
      </span>
    ),
  },
  {
    key: 'state',
    header: words.state,
    render: (it) => (
      <Status tone={TONES[it.status]}>
        {words.states[it.status]}
        {it.status === 'sending' && ` ${percentOf(it.stats)} %`}
      </Status>
    ),
  },
  { key: 'when', header: words.when, render: (it) => <Moment of={it} /> },
  figure('targeted', words.targeted),
  figure('sent', words.sent),
  figure('delivered', words.delivered),
  figure('read', words.read),
  figure('failed', words.failed),
  figure('suppressed', words.suppressed),
];

/** When it ended, began or is to begin. */
function Moment({ of }: { of: Broadcast }) {
  const began = of.ended_at ?? of.started_at;
  if (began) return <When at={began} />;
  return of.scheduled_at ? (
    <When at={of.scheduled_at} canBeFuture />
  ) : (
    <span className="dimmed">{words.atOnce}</span>
  );
}
