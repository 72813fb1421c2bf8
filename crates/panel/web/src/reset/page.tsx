import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LinkCard } from '../account/card';
import { PasswordForm } from '../account/form';
import { isGone } from '../account/told';
import classes from '../app/alone.module.css';
import { dayAndTime } from '../components/time';
import { texts } from '../i18n/texts';
import { readLink, setPassword } from './api';

const t = texts('login');

/** The page of a reset link: sets a new password and signs in with it. */
export function Reset() {
  const { token } = useParams({ from: '/reset/$token' });
  const link = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => readLink(token, signal),
    // Not refreshed, because the form must stay. Setting the password checks whether the link is still valid.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const gone = isGone(link.error);
  useEffect(() => {
    document.title = `${gone ? t('resetGone') : t('resetTitle')} · ${t('product')}`;
  }, [gone]);
  return (
    <LinkCard link={link} gone={{ title: t('resetGone'), hint: t('resetGoneHint') }}>
      {({ email, expires_at }) => (
        <>
          <Title order={1}>{t('resetTitle')}</Title>
          <p className="dimmed">{t('resetFor', { email })}</p>
          <PasswordForm
            email={email}
            verb={t('resetSubmit')}
            done={t('resetDone')}
            act={({ password }) => setPassword(token, password)}
          />
          <p className={classes.hint}>{t('resetUntil', { date: dayAndTime(expires_at) })}</p>
        </>
      )}
    </LinkCard>
  );
}
