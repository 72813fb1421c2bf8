import { Button, Menu, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import alone from '../app/alone.module.css';
import { useWhere } from '../app/here';
import { places } from '../app/places';
import { session } from '../app/session';
import { useAccount } from '../app/use-session';
import { WorkspaceItems } from '../app/workspace-items';
import { usePresent } from '../components/clock';
import { dayAndTime } from '../components/time';
import { useTitle } from '../components/title';
import { texts } from '../i18n/texts';
import classes from './deletion.module.css';
import { RestoreForm } from './restore-form';
import { useDeletionRights } from './rights';

const t = texts('workspace-deletion');
const shell = texts('shell');

/** Replaces all pages of a deleted workspace. */
export default function DeletedWorkspace() {
  const { live } = useWhere();
  const { mayDelete } = useDeletionRights();
  const several = places(useAccount()).length > 1;
  const until = live.restore_until;
  const isTooLate = usePresent() > (until ? Date.parse(until) : Number.POSITIVE_INFINITY);
  const heading = useRef<HTMLHeadingElement>(null);
  // Move the focus here, because this page replaces the one that had it.
  useEffect(() => heading.current?.focus(), []);
  useTitle(t('pageTitle', { name: live.name }));
  return (
    <main className={alone.alone}>
      <div className={alone.card}>
        <Title order={1} ref={heading} tabIndex={-1} className={classes.title}>
          {t('pageTitle', { name: live.name })}
        </Title>
        {until && <p>{t(isTooLate ? 'tooLate' : 'canRestore', { until: dayAndTime(until) })}</p>}
        {!isTooLate && (mayDelete ? <RestoreForm ws={live.id} /> : <p>{t('askOwner')}</p>)}
        <div className={classes.actions}>
          {several && <SwitchWorkspace />}
          <SignOut />
        </div>
      </div>
    </main>
  );
}

function SwitchWorkspace() {
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button variant="default">{t('switchWorkspace')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <WorkspaceItems />
      </Menu.Dropdown>
    </Menu>
  );
}

function SignOut() {
  const navigate = useNavigate();
  const signOut = async () => {
    await session.signOut();
    // The next sign-in does not return to the deleted workspace.
    await navigate({ to: '/login', search: {}, replace: true });
  };
  return (
    <Button variant="default" onClick={() => void signOut()}>
      {shell('signOut')}
    </Button>
  );
}
