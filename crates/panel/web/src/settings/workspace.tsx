import { Title } from '@mantine/core';
import { useWhere } from '../app/here';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Page } from '../components/page';
import { Failure, Waiting } from '../components/states';
import { absolute } from '../components/time';
import { When } from '../components/when';
import { WorkspaceSections } from '../deletion/workspace-sections';
import { en } from '../i18n/en';
import { useWorkspace } from './api';
import type { Workspace } from './draft';
import { Outbound } from './outbound';
import classes from './settings.module.css';
import { WorkspaceForm } from './workspace-form';

const words = en.workspace;

/** Settings › Workspace: of the one that is shown, so in a sandbox its own. */
export function WorkspaceSettings() {
  const { workspace, live, inSandbox } = useWhere();
  const asked = useWorkspace(workspace.id);
  return (
    <Page
      title={words.title}
      description={inSandbox ? words.descriptionSandbox(live.name) : words.description}
      call={{ path: `/platform/workspaces/${workspace.id}`, credential: '$TIDINGS_TOKEN' }}
    >
      {asked.error && !asked.data ? (
        <Failure error={asked.error} retry={() => void asked.refetch()} />
      ) : asked.isPending ? (
        <Waiting />
      ) : (
        <>
          <WorkspaceForm key={workspace.id} latest={asked.data} />
          <Outbound workspace={asked.data.workspace} />
          <Facts workspace={asked.data.workspace} />
          <WorkspaceSections workspace={asked.data.workspace} />
        </>
      )}
    </Page>
  );
}

function Facts({ workspace }: { workspace: Workspace }) {
  const { live, sandbox, inSandbox, role } = useWhere();
  const rows: [string, React.ReactNode][] = [[words.id, <Id key="id" id={workspace.id} whole />]];
  if (inSandbox) rows.push([words.liveId, <Id key="live" id={live.id} whole />]);
  else if (sandbox) rows.push([words.sandboxId, <Id key="sandbox" id={sandbox.id} whole />]);
  rows.push(
    [words.yourRole, role],
    [words.made, absolute(workspace.created_at)],
    [words.changed, <When key="changed" at={workspace.updated_at} isRealTime />],
  );
  return (
    <section className={classes.section} aria-labelledby="facts">
      <Title order={2} id="facts">
        {words.facts}
      </Title>
      <Details rows={rows} />
    </section>
  );
}
