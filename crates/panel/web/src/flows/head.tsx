import { Tabs } from '@mantine/core';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Page } from '../components/page';
import { Failure, told } from '../components/states';
import { Status } from '../components/status';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { useFlow, useSaveFlow, type Versioned } from './api';
import { FlowMenu } from './menu';
import { EditableName } from './name';
import classes from './page.module.css';
import { Publish } from './publish';
import type { Tab } from './search';
import { stateOf } from './state';
import { tabsFor } from './tabs';

const t = texts('flows');

interface Props {
  read: Versioned;
  /** Whether something is typed that a new version would not have. */
  unsaved: boolean;
  tab: Tab;
  onTab: (tab: Tab) => void;
  children: React.ReactNode;
}

/** What stands above all parts of a flow. */
export function FlowHead({ read, unsaved, tab, onTab, children }: Props) {
  const { workspace, role } = useWhere();
  const { flow, etag } = read;
  const latest = useFlow(workspace.id, flow.id);
  const save = useSaveFlow(workspace.id, flow.id);
  const { tone, word } = stateOf(flow);
  const changes = mayWrite(role);
  const conflict = save.error instanceof Problem && save.error.status === 412;
  const rename = (name: string) =>
    save.mutate({ body: { name }, etag }, { onError: () => void latest.refetch() });
  return (
    <Page
      title={flow.name}
      wide
      heading={
        <EditableName
          name={save.isPending ? (save.variables.body.name ?? flow.name) : flow.name}
          labels={{ rename: t('rename'), field: t('renameTo') }}
          onRename={changes ? rename : undefined}
        />
      }
      beside={
        <>
          <Status tone={tone}>{word}</Status>
          <span className={classes.since}>
            {t.rich('changedAt', { time: <When at={flow.updated_at} /> })}
          </span>
        </>
      }
      id={flow.id}
      call={{ path: `/api/v1/flows/${flow.id}` }}
      hasMenu={changes}
      action={
        changes && (
          <>
            {flow.has_unpublished_changes && <Publish read={read} unsaved={unsaved} />}
            <FlowMenu flow={flow} />
          </>
        )
      }
    >
      {save.error && (
        <div className={classes.failure}>
          {conflict ? <p role="alert">{t('conflict')}</p> : <Failure error={save.error} />}
        </div>
      )}
      {latest.isError && (
        <p role="status" className="dimmed">
          {told(latest.error)}
        </p>
      )}
      <Tabs value={tab} onChange={(next) => onTab(next as Tab)} keepMounted={false}>
        <Tabs.List aria-label={t('parts')} className={classes.tabs}>
          {tabsFor(role).map((it) => (
            <Tabs.Tab key={it} value={it}>
              {t(`tabs.${it}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.panel}>
          {children}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
