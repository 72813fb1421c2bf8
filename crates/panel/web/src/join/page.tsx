import { Button, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { LinkCard } from '../account/card';
import { PasswordForm } from '../account/form';
import { isGone } from '../account/told';
import classes from '../app/alone.module.css';
import { useSession } from '../app/use-session';
import { day } from '../components/time';
import { texts } from '../i18n/texts';
import { acceptInvitation, type Invitation, readInvitation, toldOfJoining } from './api';
import { JoinSignedIn } from './signed-in';

const t = texts('login');

/** The page of an invitation. It can be accepted with a new account or by the signed-in user. */
export function Join() {
  const { token } = useParams({ from: '/join/$token' });
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => readInvitation(token, signal),
    // Not refreshed, because the form must stay. Accepting checks whether the invitation is still valid.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const gone = isGone(invitation.error);
  const title = invitation.data ? t('joinTitle', { workspace: invitation.data.workspace.name }) : undefined;
  useEffect(() => {
    const parts = [title ?? (gone ? t('gone') : t('join')), t('product')];
    document.title = parts.join(' · ');
  }, [title, gone]);
  return (
    <LinkCard link={invitation} gone={{ title: t('gone'), hint: t('goneHint') }}>
      {(data) => <Open token={token} invitation={data} />}
    </LinkCard>
  );
}

function Open({ token, invitation }: { token: string; invitation: Invitation }) {
  const current = useSession();
  const [chosen, setChosen] = useState<'account' | 'new'>();
  const { email, role, workspace, invited_by, expires_at } = invitation;
  const own = current.state === 'in' ? current.account.user.email : undefined;
  const withAccount = own !== undefined && chosen !== 'new';
  return (
    <>
      <Title order={1}>{t('joinTitle', { workspace: workspace.name })}</Title>
      <p className="dimmed">
        {t(`joinAs.${role}`, { email })} {invited_by && t('joinBy', { name: invited_by })}
      </p>
      {withAccount ? (
        <JoinSignedIn token={token} email={own} />
      ) : (
        <>
          {own !== undefined && <p>{t('signedInAs', { email: own })}</p>}
          <PasswordForm
            named
            email={email}
            verb={t('join')}
            done={t('accountCreated')}
            act={(typed) => acceptInvitation(token, typed)}
            told={(error) => toldOfJoining(error, email)}
          />
        </>
      )}
      {own === undefined ? (
        <Button
          component={Link}
          to="/login"
          search={{ to: `/join/${token}` } as never}
          variant="default"
          fullWidth
        >
          {t('haveAccount')}
        </Button>
      ) : (
        <Button variant="default" fullWidth onClick={() => setChosen(withAccount ? 'new' : 'account')}>
          {withAccount ? t('newAccount') : t('ownAccount', { email: own })}
        </Button>
      )}
      <p className={classes.hint}>{t('joinUntil', { date: day(expires_at) })}</p>
    </>
  );
}
