import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { Choice } from '../components/choice';
import { Code } from '../components/code';
import { Details } from '../components/details';
import { Id, shortened } from '../components/id';
import { ObjectLink } from '../components/object-link';
import { Page } from '../components/page';
import { SideDrawer } from '../components/side-drawer';
import { Empty, Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { texts } from '../i18n/texts';
import { aboutOf } from './about';
import { type FeedEvent, useEventTypes } from './api';
import classes from './events.module.css';
import { useEvents } from './use-events';

const words = en.events;
const home = texts('home');

interface Search {
  kind?: string;
  event?: string;
}

/** Connect › Events. */
export function Events() {
  const { workspace } = useWhere();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const types = useEventTypes(workspace.id);
  const asked = useEvents(workspace.id, search.kind);
  const rows = asked.data?.pages.flatMap((page) => page.events) ?? [];
  const show = (next: Search) =>
    void navigate({
      to: '.',
      search: ((it: Search) => ({ ...it, ...next })) as never,
      replace: true,
      resetScroll: false,
    });
  const step = (by: 1 | -1) => {
    const at = rows.findIndex((it) => it.id === search.event);
    const next = at < 0 ? undefined : rows[at + by];
    return next && (() => show({ event: next.id }));
  };
  const kinds = (types.data ?? []).filter((it) => it.can_happen).map((it) => it.type);
  return (
    <Page title={words.title} description={words.description} call={{ path: callOf(search.kind) }}>
      <div className={classes.filters}>
        <Choice
          label={words.kind}
          width={170}
          value={search.kind}
          options={kinds.map((value) => ({ value, label: value }))}
          onChange={(kind) => show({ kind, event: undefined })}
        />
      </div>
      {asked.error && !asked.data ? (
        <Failure error={asked.error} retry={() => void asked.refetch()} />
      ) : asked.isPending ? (
        <Waiting lines={10} />
      ) : rows.length === 0 ? (
        <None kind={search.kind} clear={() => show({ kind: undefined })} />
      ) : (
        <DataTable
          label={words.title}
          columns={COLUMNS}
          rows={rows}
          rowKey={(it) => it.id}
          openKey={search.event}
          onOpen={(it) => show({ event: it.id })}
          more={asked.hasNextPage ? () => void asked.fetchNextPage() : undefined}
          loadingMore={asked.isFetchingNextPage}
        />
      )}
      <SideDrawer
        label={words.event}
        id={search.event}
        step={step}
        onClose={() => show({ event: undefined })}
      >
        {search.event && !asked.isPending && <One event={rows.find((it) => it.id === search.event)} />}
      </SideDrawer>
    </Page>
  );
}

const callOf = (kind: string | undefined) => `/api/v1/events?after=0${kind ? `&types=${kind}` : ''}`;

function None({ kind, clear }: { kind: string | undefined; clear: () => void }) {
  const { administers } = useWhere();
  if (!kind) {
    return (
      <Empty
        title={words.emptyTitle}
        action={
          administers && (
            <Button renderRoot={(props) => <Link to="/developers/sandbox" {...props} />}>
              {home('events.open')}
            </Button>
          )
        }
      >
        {words.emptyText}
      </Empty>
    );
  }
  const action = (
    <Button variant="default" onClick={clear}>
      {words.clear}
    </Button>
  );
  return (
    <Empty title={words.noneOfKind(kind)} action={action}>
      {words.noneOfKindHint}
    </Empty>
  );
}

function One({ event }: { event: FeedEvent | undefined }) {
  if (!event) return <p className="dimmed">{words.gone}</p>;
  const { position, ...envelope } = event;
  return (
    <>
      <Details
        rows={[
          [words.kind, <code key="kind">{event.type}</code>],
          [words.time, <When key="time" at={event.timestamp} />],
          [words.about, <About key="about" event={event} />],
          [words.position, position],
          [words.id, <Id key="id" id={event.id} />],
        ]}
      />
      <p className={classes.part}>{words.envelope}</p>
      <Code text={JSON.stringify(envelope, null, 2)} what={words.theEnvelope} />
    </>
  );
}

function About({ event }: { event: FeedEvent }) {
  const { id, name } = aboutOf(event);
  return (
    <span className={classes.about}>
      {id && (
        <ObjectLink id={id} className="mono-small">
          {shortened(id)}
        </ObjectLink>
      )}
      {name && <span className="one-line">{name}</span>}
    </span>
  );
}

const COLUMNS: Column<FeedEvent>[] = [
  { key: 'position', header: words.position, align: 'end', render: (it) => it.position, width: 90 },
  { key: 'time', header: words.time, render: (it) => <When at={it.timestamp} /> },
  { key: 'kind', header: words.kind, render: (it) => <code>{it.type}</code> },
  { key: 'about', header: words.about, render: (it) => <About event={it} /> },
  { key: 'actor', header: words.actor, render: (it) => it.actor.type.replaceAll('_', ' ') },
  {
    key: 'test',
    header: <span className={classes.unseen}>{words.test}</span>,
    render: (it) => it.test && <Status tone="off">{words.test}</Status>,
  },
];
