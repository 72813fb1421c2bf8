import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { Choice } from '../components/choice';
import { Code } from '../components/code';
import { Details } from '../components/details';
import { Id, shortened } from '../components/id';
import { Loaded } from '../components/loaded';
import { ObjectLink } from '../components/object-link';
import { Page } from '../components/page';
import { SideDrawer, stepIn } from '../components/side-drawer';
import { Empty } from '../components/states';
import { Status } from '../components/status';
import { type Column, DataTable, morePages } from '../components/table';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { aboutOf } from './about';
import { type FeedEvent, useEventTypes } from './api';
import classes from './events.module.css';
import { useEvents } from './use-events';

const t = texts('events');
const home = texts('home');

interface Search {
  kind?: string;
  event?: string;
}

/** Connect › Events. */
export function Events() {
  const { workspace } = useWhere();
  const [search, show] = useSearchState<Search>();
  const types = useEventTypes(workspace.id);
  const asked = useEvents(workspace.id, search.kind);
  const rows = asked.data?.pages.flatMap((page) => page.events) ?? [];
  const ids = rows.map((it) => it.id);
  const kinds = (types.data ?? []).filter((it) => it.can_happen).map((it) => it.type);
  return (
    <Page title={t('title')} description={t('description')} call={{ path: callOf(search.kind) }}>
      <div className={classes.filters}>
        <Choice
          label={t('type')}
          width={170}
          value={search.kind}
          options={kinds.map((value) => ({ value, label: value }))}
          onChange={(kind) => show({ kind, event: undefined })}
        />
      </div>
      <Loaded asked={asked} lines={10}>
        {() =>
          rows.length === 0 ? (
            <None kind={search.kind} clear={() => show({ kind: undefined })} />
          ) : (
            <DataTable
              label={t('title')}
              columns={columns(search.event !== undefined)}
              rows={rows}
              rowKey={(it) => it.id}
              openKey={search.event}
              onOpen={(it) => show({ event: it.id })}
              {...morePages(asked)}
            />
          )
        }
      </Loaded>
      <SideDrawer
        label={t('event')}
        id={search.event}
        step={stepIn(ids, search.event, (event) => show({ event }))}
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
        title={t('emptyTitle')}
        action={
          administers && (
            <Button renderRoot={(props) => <Link to="/developers/sandbox" {...props} />}>
              {home('events.open')}
            </Button>
          )
        }
      >
        {t('emptyText')}
      </Empty>
    );
  }
  const action = (
    <Button variant="default" onClick={clear}>
      {t('clear')}
    </Button>
  );
  return (
    <Empty title={t('noneOfType', { type: kind })} action={action}>
      {t('noneOfTypeHint')}
    </Empty>
  );
}

function One({ event }: { event: FeedEvent | undefined }) {
  if (!event) return <p className="dimmed">{t('gone')}</p>;
  const { position, ...envelope } = event;
  return (
    <>
      <Details
        rows={[
          [t('type'), <code key="kind">{event.type}</code>],
          [t('time'), <When key="time" at={event.timestamp} />],
          [t('object'), <About key="about" event={event} />],
          [t('position'), number(position)],
          [t('id'), <Id key="id" id={event.id} />],
        ]}
      />
      <p className={classes.part}>{t('envelope')}</p>
      <Code text={JSON.stringify(envelope, null, 2)} what={t('theEnvelope')} />
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

/** The columns that fit beside the details of an event. */
const BESIDE = ['time', 'kind', 'about'];

const columns = (isBeside: boolean) => allColumns().filter((it) => !isBeside || BESIDE.includes(it.key));

const allColumns = (): Column<FeedEvent>[] => [
  { key: 'position', header: t('position'), align: 'end', render: (it) => number(it.position), width: 90 },
  { key: 'time', header: t('time'), render: (it) => <When at={it.timestamp} /> },
  { key: 'kind', header: t('type'), render: (it) => <code>{it.type}</code> },
  { key: 'about', header: t('object'), width: '100%', render: (it) => <About event={it} /> },
  { key: 'actor', header: t('actor'), render: (it) => actorOf(it) },
  {
    key: 'test',
    header: <span className={classes.unseen}>{t('test')}</span>,
    render: (it) => it.test && <Status tone="off">{t('test')}</Status>,
  },
];

/** The type of the actor. */
const actorOf = ({ actor }: FeedEvent) => t.find('senders', actor.type) ?? actor.type.replaceAll('_', ' ');
