import { Button, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import classes from '../app/alone.module.css';
import { Brand } from '../app/brand';
import { useSession } from '../app/use-session';
import { Failure, Waiting } from '../components/states';
import { day } from '../components/time';
import { en } from '../i18n/en';
import { type Invitation, readInvitation } from './api';
import { JoinForm } from './form';
import { isGone } from './request';

const words = en.login;

/** Where an invitation leads: makes the account, and signs in with it. */
export function Join() {
  const { token } = useParams({ from: '/join/$token' });
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => readInvitation(token, signal),
    // What one types is not taken away: whether it is open still is asked when it is taken.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const gone = isGone(invitation.error);
  const title = invitation.data ? words.joinTitle(invitation.data.workspace.name) : undefined;
  useEffect(() => {
    const parts = [title ?? (gone ? words.gone : words.join), en.common.product];
    document.title = parts.join(' · ');
  }, [title, gone]);
  return (
    <main className={classes.alone}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Brand />
          {en.common.product}
        </div>
        {invitation.data ? (
          <Open token={token} invitation={invitation.data} />
        ) : gone ? (
          <Gone />
        ) : invitation.error ? (
          <Failure error={invitation.error} retry={() => void invitation.refetch()} />
        ) : (
          <Waiting lines={4} />
        )}
      </div>
    </main>
  );
}

function Open({ token, invitation }: { token: string; invitation: Invitation }) {
  const current = useSession();
  const { email, role, workspace, invited_by, expires_at } = invitation;
  return (
    <>
      <Title order={1}>{words.joinTitle(workspace.name)}</Title>
      <p className="dimmed">
        {words.joinAs(email, en.members.one[role])} {words.joinMay(words.joinRoles[role])}{' '}
        {invited_by && words.joinBy(invited_by)}
      </p>
      {current.state === 'in' && <p>{words.signedInAs(current.account.user.email)}</p>}
      <JoinForm token={token} email={email} />
      <p className={classes.hint}>{words.joinUntil(day(expires_at))}</p>
    </>
  );
}

function Gone() {
  return (
    <>
      <Title order={1}>{words.gone}</Title>
      <p className="dimmed">{words.goneHint}</p>
      <Button component={Link} to="/login" fullWidth>
        {words.toSignIn}
      </Button>
    </>
  );
}
