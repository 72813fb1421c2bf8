import { AppShell, Button, Title } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { loadPart, useReachable } from '../api/connection';
import { Waiting } from '../components/states';
import { ToastPlace } from '../components/toast';
import { texts } from '../i18n/texts';
import { WorkspaceClock } from '../sandbox/workspace-clock';
import alone from './alone.module.css';
import { Bar } from './bar';
import { useWhereFromAddress, WhereContext } from './here';
import { KEPT_PLACE } from './kept-place';
import { isDeleted } from './places';
import { Rail } from './rail';
import { useIsInSettings, useNarrowRail } from './rail-place';
import { session } from './session';
import classes from './shell.module.css';
import { useSession } from './use-session';

const t = texts('shell');
const navigation = texts('navigation');

const Search = lazy(() => loadPart(() => import('./search')));
const DeletedWorkspace = lazy(() => loadPart(() => import('../deletion/page')));

/** The frame of all pages that need a session. */
export function Shell() {
  const current = useSession();
  if (current.state === 'out') return <ToLogin />;
  if (current.state === 'unreachable') return <Unreached />;
  if (current.state === 'unknown') return null;
  return <Rooms />;
}

/** Redirects to the sign-in page, which then returns to the requested page. */
function ToLogin() {
  const router = useRouter();
  useEffect(() => {
    const to = router.state.location.href;
    void router.navigate({ to: '/login', search: { to }, replace: true });
  }, [router]);
  return null;
}

function Rooms() {
  const where = useWhereFromAddress();
  const [railOpen, rail] = useDisclosure(false);
  const [searching, search] = useDisclosure(false);
  const [narrow, setNarrow] = useNarrowRail();
  const reachable = useReachable();
  const inSettings = useIsInSettings();
  useHotkeys([['mod+K', search.open]], []);

  if (!where) return <NoPlace />;
  if (isDeleted(where)) {
    return (
      <WhereContext value={where}>
        <Suspense>
          <DeletedWorkspace key={where.live.id} />
        </Suspense>
      </WhereContext>
    );
  }
  return (
    <WhereContext value={where}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <AppShell
        header={{ height: where.inSandbox ? 51 : 48 }}
        navbar={{ width: narrow ? 56 : 220, breakpoint: 'sm', collapsed: { mobile: !railOpen } }}
        transitionDuration={0}
      >
        <AppShell.Header className={classes.header}>
          <Bar railOpen={railOpen} toggleRail={rail.toggle} search={search.open} />
          {where.inSandbox && <div className={classes.stripe} data-testid="sandbox-stripe" />}
        </AppShell.Header>
        <AppShell.Navbar
          className={classes.rail}
          data-folded={!railOpen || undefined}
          aria-label={inSettings ? navigation('groups.settings') : t('navigation')}
        >
          <Rail narrow={narrow && !railOpen} setNarrow={setNarrow} leave={rail.close} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
          {!reachable && (
            <div role="status" className={classes.offline}>
              {t('unreachable')}
            </div>
          )}
          {where.workspace.outbound === 'hold' && (
            <div role="status" className={classes.offline}>
              {t.rich('paused', { settings: <Link to="/settings/workspace">{t('workspaceSettings')}</Link> })}
            </div>
          )}
          <WorkspaceClock>
            <Suspense
              fallback={
                <div className={classes.fallback}>
                  <Waiting />
                </div>
              }
            >
              <Outlet />
            </Suspense>
          </WorkspaceClock>
          <div key={where.live.id} id={KEPT_PLACE} />
        </AppShell.Main>
      </AppShell>
      <ToastPlace />
      {searching && (
        <Suspense>
          <Search onClose={search.close} />
        </Suspense>
      )}
    </WhereContext>
  );
}

function Unreached() {
  useEffect(() => {
    const timer = setInterval(() => void session.restore(), 3_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <main className={alone.alone}>
      <div className={alone.card} role="alert">
        <Title order={1}>{t('unreachableNow')}</Title>
        <p className="dimmed">{t('unreachableHint')}</p>
        <Button variant="default" onClick={() => void session.restore()}>
          {t('tryAgain')}
        </Button>
      </div>
    </main>
  );
}

/** The page for a user who is not a member of any workspace. */
function NoPlace() {
  return (
    <main className={alone.alone}>
      <div className={alone.card}>
        <Title order={1}>{t('noWorkspace')}</Title>
        <p className="dimmed">{t('noWorkspaceHint')}</p>
        <Button variant="default" onClick={() => void session.signOut()}>
          {t('signOut')}
        </Button>
      </div>
    </main>
  );
}
