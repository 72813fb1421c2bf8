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
import { en } from '../i18n/en';
import { type FlowStatus, type FlowSummary, useFlows } from './api';
import { CreateFlow } from './create';
import classes from './list.module.css';
import { stateOf } from './state';

const words = en.flows;

interface Search {
  create?: boolean;
  q?: string;
  status?: string;
}

const STATES = Object.keys(words.states) as FlowStatus[];

/** Automation › Flows. */
export function Flows() {
  const { workspace, role } = useWhere();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const status = STATES.find((it) => it === search.status);
  const flows = useFlows(workspace.id, { q: search.q, status });
  const show = useCallback(
    (next: Search) =>
      void navigate({ to: '.', search: ((it: Search) => ({ ...it, ...next })) as never, replace: true }),
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
      call={{ path: '/api/v1/flows' }}
      action={create}
    >
      <FoundList
        label={words.title}
        list={flows}
        columns={COLUMNS}
        onOpen={(flow) =>
          void navigate({
            to: '/flows/$id',
            params: { id: flow.id },
            search: ((it: { ws?: string }) => ({ ws: it.ws })) as never,
          })
        }
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
        noMatch={{ title: words.noMatch, hint: words.noMatchHint, clear: words.clear }}
        onClear={() => show({ q: undefined, status: undefined })}
        count={words.count}
        empty={
          <Empty
            title={words.emptyTitle}
            action={create || undefined}
            call={{ method: 'POST', path: '/api/v1/flows', body: { name: 'Welcome' } }}
          >
            {words.emptyText}
          </Empty>
        }
      />
      {mayWrite(role) && (
        <CreateFlow opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </Page>
  );
}

const COLUMNS: Column<FlowSummary>[] = [
  {
    key: 'name',
    header: words.name,
    render: (flow) => (
      <span className={classes.name} title={flow.name}>
        {flow.name}
      </span>
    ),
  },
  {
    key: 'state',
    header: words.state,
    render: (flow) => <Status tone={stateOf(flow).tone}>{words.states[flow.status]}</Status>,
  },
  {
    key: 'version',
    header: words.version,
    align: 'end',
    render: (flow) => flow.version_published ?? <span className="dimmed">{words.none}</span>,
  },
  {
    key: 'changes',
    header: words.draft,
    render: (flow) =>
      flow.has_unpublished_changes ? words.changes : <span className="dimmed">{words.noChanges}</span>,
  },
  { key: 'changed', header: words.changed, render: (flow) => <When at={flow.updated_at} /> },
];
