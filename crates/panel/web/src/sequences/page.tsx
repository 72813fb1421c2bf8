import { Button, Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useObjectId, useSearchState } from '../app/search-state';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { When } from '../components/when';
import { EditableName } from '../flows/name';
import { isConflict } from '../forms/use-draft';
import { texts } from '../i18n/texts';
import { Actions } from './actions';
import { useSaveSequence, useSequence, type Versioned } from './api';
import { EnrollmentsPart } from './enrollments';
import { SequenceForm } from './form';
import { type SequenceSearch, TABS, type Tab } from './search';
import classes from './sequences.module.css';
import { SimulatePart } from './simulate';
import { toneOf } from './state';

const t = texts('sequences');

/** The page of a sequence: its header and one of its parts. */
export function SequencePage() {
  const id = useObjectId();
  const { workspace } = useWhere();
  const asked = useSequence(workspace.id, id);
  if (asked.data) return <Frame key={`${workspace.id} ${id}`} read={asked.data} />;
  const missing = asked.error instanceof Problem && [404, 422].includes(asked.error.status);
  return (
    <Page title={t('sequence')}>
      {missing ? (
        <Empty
          title={t('gone')}
          action={
            <Button variant="default" component={Link} to="/sequences">
              {t('toList')}
            </Button>
          }
        >
          {t('goneHint')}
        </Empty>
      ) : asked.error ? (
        <Failure error={asked.error} retry={() => void asked.refetch()} />
      ) : (
        <Waiting />
      )}
    </Page>
  );
}

function Frame({ read }: { read: Versioned }) {
  const { workspace, role } = useWhere();
  const { sequence, etag } = read;
  const [search, show] = useSearchState<SequenceSearch>();
  const latest = useSequence(workspace.id, sequence.id);
  const save = useSaveSequence(workspace.id, sequence.id);
  const writes = mayWrite(role);
  const tabs = TABS.filter((it) => it !== 'simulate' || writes);
  const tab = tabs.find((it) => it === search.tab) ?? 'steps';
  const change = (body: Parameters<typeof save.mutate>[0]['body']) =>
    save.mutate({ body, etag }, { onError: () => void latest.refetch() });
  return (
    <Page
      title={sequence.name}
      wide
      heading={
        <EditableName
          name={save.isPending ? (save.variables.body.name ?? sequence.name) : sequence.name}
          labels={{ rename: t('rename'), field: t('renameTo') }}
          onRename={writes ? (name) => change({ name }) : undefined}
        />
      }
      beside={
        <>
          <Status tone={toneOf(sequence.status)}>{t(`statuses.${sequence.status}`)}</Status>
          <span className="dimmed">{t.rich('changedWhen', { time: <When at={sequence.updated_at} /> })}</span>
        </>
      }
      id={sequence.id}
      hasMenu={writes}
      call={{ path: `/api/v1/sequences/${sequence.id}` }}
      action={writes && <Actions sequence={sequence} save={save} change={change} />}
    >
      {save.error && (
        <div className={classes.failure}>
          {isConflict(save.error) ? <p role="alert">{t('conflict')}</p> : <Failure error={save.error} />}
        </div>
      )}
      <Tabs
        value={tab}
        onChange={(next) => show({ tab: next as Tab, status: undefined, open: undefined })}
        keepMounted={false}
      >
        <Tabs.List aria-label={t('parts')}>
          {tabs.map((it) => (
            <Tabs.Tab key={it} value={it}>
              {t(`tabs.${it}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.panel}>
          {tab === 'steps' && <SequenceForm read={read} />}
          {tab === 'simulate' && <SimulatePart read={read} />}
          {tab === 'enrollments' && <EnrollmentsPart sequence={sequence} search={search} show={show} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
