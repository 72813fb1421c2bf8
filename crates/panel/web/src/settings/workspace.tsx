import { Title } from '@mantine/core';
import { useWhere } from '../app/here';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { absolute } from '../components/time';
import { When } from '../components/when';
import { WorkspaceSections } from '../deletion/workspace-sections';
import { texts } from '../i18n/texts';
import { useWorkspace } from './api';
import type { Workspace } from './draft';
import { Outbound } from './outbound';
import classes from './settings.module.css';
import { WorkspaceForm } from './workspace-form';

const t = texts('settings');

/** Settings › Workspace. In a sandbox, the settings of the sandbox. */
export function WorkspaceSettings() {
  const { workspace, live, inSandbox } = useWhere();
  const asked = useWorkspace(workspace.id);
  return (
    <Page
      title={t('workspace.title')}
      description={
        inSandbox ? t('workspace.descriptionSandbox', { workspace: live.name }) : t('workspace.description')
      }
      call={{ path: `/platform/workspaces/${workspace.id}`, credential: '$TIDINGS_TOKEN' }}
    >
      <Loaded asked={asked}>
        {(data) => (
          <>
            <WorkspaceForm key={workspace.id} latest={data} />
            <Outbound workspace={data.workspace} />
            <Facts workspace={data.workspace} />
            <WorkspaceSections workspace={data.workspace} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ workspace }: { workspace: Workspace }) {
  const { live, sandbox, inSandbox, role, administers } = useWhere();
  const rows: [string, React.ReactNode][] = [
    [t('id'), <Id key="id" id={workspace.id} whole={administers} />],
  ];
  if (inSandbox) rows.push([t('workspace.liveId'), <Id key="live" id={live.id} whole={administers} />]);
  else if (sandbox) rows.push([t('sandbox'), <Id key="sandbox" id={sandbox.id} whole={administers} />]);
  rows.push(
    [t('workspace.yourRole'), t(`roles.${role}`)],
    [t('created'), absolute(workspace.created_at)],
    [t('lastChanged'), <When key="changed" at={workspace.updated_at} isRealTime />],
  );
  return (
    <section className={classes.section} aria-labelledby="facts">
      <Title order={2} id="facts">
        {t('details')}
      </Title>
      <Details rows={rows} />
    </section>
  );
}
