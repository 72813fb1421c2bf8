import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LinkCard } from '../account/card';
import { PasswordForm } from '../account/form';
import { isGone } from '../account/told';
import classes from '../app/alone.module.css';
import { absolute } from '../components/time';
import { en } from '../i18n/en';
import { readLink, setPassword } from './api';

const words = en.login;

/** Where a link to another password leads: sets it, and signs in with it. */
export function Reset() {
  const { token } = useParams({ from: '/reset/$token' });
  const link = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => readLink(token, signal),
    // What one types is not taken away: whether it is open still is asked when it is used.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const gone = isGone(link.error);
  useEffect(() => {
    document.title = `${gone ? words.resetGone : words.resetTitle} · ${en.common.product}`;
  }, [gone]);
  return (
    <LinkCard link={link} gone={{ title: words.resetGone, hint: words.resetGoneHint }}>
      {({ email, expires_at }) => (
        <>
          <Title order={1}>{words.resetTitle}</Title>
          <p className="dimmed">{words.resetFor(email)}</p>
          <PasswordForm
            email={email}
            verb={words.resetVerb}
            done={words.resetDone}
            act={({ password }) => setPassword(token, password)}
          />
          <p className={classes.hint}>{words.resetUntil(absolute(expires_at))}</p>
        </>
      )}
    </LinkCard>
  );
}
