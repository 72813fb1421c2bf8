import { useLocalStorage } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { loadPart } from '../api/connection';
import { useWhere } from '../app/here';
import { Page } from '../components/page';
import { texts } from '../i18n/texts';
import { Attention } from './attention';
import { FirstSteps } from './first-steps';
import { browserZone, offeredZone } from './offered-zone';
import { Overview } from './overview';
import { Traffic } from './traffic';

const TimeZoneOffer = lazy(() => loadPart(() => import('./time-zone')));

const t = texts('home');

/** The home page: first steps, then an overview of the workspace. */
export function Home() {
  const { workspace, role, administers, inSandbox } = useWhere();
  const [hidden, setHidden] = useLocalStorage<string[]>({ key: 'tidings-steps-hidden', defaultValue: [] });
  const [zoneKept, setZoneKept] = useLocalStorage<string[]>({ key: 'tidings-utc-kept', defaultValue: [] });
  const asks = administers && !inSandbox && !zoneKept.includes(workspace.id);
  const zone = asks ? offeredZone(workspace.time_zone, browserZone()) : undefined;
  const overview = { path: '/api/v1/analytics/overview' };
  return (
    <Page
      title={t('title')}
      description={administers ? undefined : t('description', { role: t(`roles.${role}`) })}
      call={overview}
    >
      {administers && !hidden.includes(workspace.id) && (
        <FirstSteps onHide={() => setHidden([...hidden, workspace.id])} />
      )}
      {zone && (
        <Suspense>
          <TimeZoneOffer
            workspace={workspace.id}
            zone={zone}
            onKeep={() => setZoneKept([...zoneKept, workspace.id])}
          />
        </Suspense>
      )}
      <Attention />
      {administers && <Traffic />}
      <Overview />
    </Page>
  );
}
