import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { useObjectId, useSearchState } from '../app/search-state';
import { LeaveGuard } from '../components/leave-guard';
import { Lost } from '../components/lost';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import { useFlow, type Versioned } from './api';
import { FlowHead } from './head';
import type { FlowSearch, Tab } from './search';
import { FlowTabs, shownTab } from './tabs';
import type { Typed } from './written';

const t = texts('flows');

/** The page of a flow: its bar and one of its parts. */
export function FlowPage() {
  const id = useObjectId();
  const { workspace } = useWhere();
  const flow = useFlow(workspace.id, id);
  if (flow.data) return <Frame key={`${workspace.id} ${id}`} read={flow.data} />;
  const missing = flow.error instanceof Problem && [404, 422].includes(flow.error.status);
  return (
    <Page title={t('flow')}>
      {missing ? (
        <Empty
          title={t('gone')}
          action={
            <Button variant="default" component={Link} to="/flows">
              {t('toList')}
            </Button>
          }
        >
          {t('goneHint')}
        </Empty>
      ) : flow.error ? (
        <Failure error={flow.error} retry={() => void flow.refetch()} />
      ) : (
        <Waiting />
      )}
    </Page>
  );
}

/** Search parameters of one part that do not apply to another. */
const NOTHING: FlowSearch = {
  node: undefined,
  run: undefined,
  status: undefined,
  version: undefined,
  against: undefined,
  last: undefined,
  script: undefined,
};

function Frame({ read }: { read: Versioned }) {
  const [search, show] = useSearchState<FlowSearch>();
  const { role } = useWhere();
  // Unsaved text stays while the user opens another part of the page.
  const [typed, setTyped] = useState<Typed<Versioned>>();
  const tab = shownTab(search.tab, role);
  return (
    <>
      <FlowHead
        read={read}
        unsaved={typed !== undefined}
        tab={tab}
        onTab={(next: Tab) => show({ ...NOTHING, tab: next })}
        notice={<Lost references={read.flow.lost_references}>{t('lost')}</Lost>}
      >
        <FlowTabs tab={tab} read={read} search={search} show={show} typed={typed} setTyped={setTyped} />
      </FlowHead>
      <LeaveGuard unsaved={typed !== undefined} />
    </>
  );
}
