import { ActionIcon, Tabs } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { PageDetails } from '../components/page-details';
import { PageMenu } from '../components/page-menu';
import { Failure, told } from '../components/states';
import { Status } from '../components/status';
import { useTitle } from '../components/title';
import { texts } from '../i18n/texts';
import { useFlow, useSaveFlow, type Versioned } from './api';
import { BarSlotContext } from './bar-slot';
import { FlowMenu } from './menu';
import { EditableName } from './name';
import classes from './page.module.css';
import { Publish } from './publish';
import type { Tab } from './search';
import { stateOf } from './state';
import { tabsFor } from './tabs';

const t = texts('flows');

/** Scrolls the line of tabs of a narrow window to a tab. */
function reveal(tab: HTMLElement | null) {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

interface Props {
  read: Versioned;
  /** Whether there are unsaved changes, which a new version would not contain. */
  unsaved: boolean;
  tab: Tab;
  onTab: (tab: Tab) => void;
  /** A notice that is shown on all parts of the page. */
  notice: React.ReactNode;
  children: React.ReactNode;
}

/** The page of a flow in the full window: a bar, and one part of the flow. */
export function FlowHead({ read, unsaved, tab, onTab, notice, children }: Props) {
  const { workspace, role } = useWhere();
  const { flow, etag } = read;
  const latest = useFlow(workspace.id, flow.id);
  const save = useSaveFlow(workspace.id, flow.id);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const { tone, word } = stateOf(flow);
  const changes = mayWrite(role);
  const conflict = save.error instanceof Problem && save.error.status === 412;
  const rename = (name: string) =>
    save.mutate({ body: { name }, etag }, { onError: () => void latest.refetch() });
  useTitle(flow.name);
  return (
    <PageDetails id={flow.id} call={{ path: `/api/v1/flows/${flow.id}` }} inMenu>
      <Tabs
        className={classes.flow}
        value={tab}
        onChange={(next) => onTab(next as Tab)}
        keepMounted={false}
        data-full={tab === 'build' || undefined}
      >
        <div className={classes.bar}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('toList')}
            renderRoot={(props) => <Link to="/flows" {...props} />}
          >
            <IconArrowLeft size={18} />
          </ActionIcon>
          <div className={classes.title}>
            <EditableName
              name={save.isPending ? (save.variables.body.name ?? flow.name) : flow.name}
              labels={{ rename: t('rename'), field: t('renameTo') }}
              onRename={changes ? rename : undefined}
            />
          </div>
          <div className={classes.parts}>
            <Status tone={tone}>{word}</Status>
            <Tabs.List aria-label={t('parts')} className={classes.tabs}>
              {tabsFor(role).map((it) => (
                <Tabs.Tab key={it} value={it} ref={it === tab ? reveal : undefined}>
                  {t(`tabs.${it}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <div ref={setSlot} className={classes.slot} />
          </div>
          <div className={classes.actions}>
            {changes && flow.has_unpublished_changes && <Publish read={read} unsaved={unsaved} />}
            {changes ? <FlowMenu flow={flow} /> : <PageMenu />}
          </div>
        </div>
        {notice}
        {save.error && (
          <div className={classes.failure}>
            {conflict ? <p role="alert">{t('conflict')}</p> : <Failure error={save.error} />}
          </div>
        )}
        {latest.isError && (
          <p role="status" className={classes.stale}>
            {told(latest.error)}
          </p>
        )}
        <Tabs.Panel value={tab} className={classes.panel}>
          <BarSlotContext value={slot}>{children}</BarSlotContext>
        </Tabs.Panel>
      </Tabs>
    </PageDetails>
  );
}
