import { Button, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import classes from '../app/alone.module.css';
import { Brand } from '../app/brand';
import { Failure, Waiting } from '../components/states';
import { absolute } from '../components/time';
import { en } from '../i18n/en';
import { isGone } from '../join/request';
import { readLink } from './api';
import { ResetForm } from './form';

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
    <main className={classes.alone}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Brand />
          {en.common.product}
        </div>
        {link.data ? (
          <>
            <Title order={1}>{words.resetTitle}</Title>
            <p className="dimmed">{words.resetFor(link.data.email)}</p>
            <ResetForm token={token} email={link.data.email} />
            <p className={classes.hint}>{words.resetUntil(absolute(link.data.expires_at))}</p>
          </>
        ) : gone ? (
          <>
            <Title order={1}>{words.resetGone}</Title>
            <p className="dimmed">{words.resetGoneHint}</p>
            <Button component={Link} to="/login" fullWidth>
              {words.toSignIn}
            </Button>
          </>
        ) : link.error ? (
          <Failure error={link.error} retry={() => void link.refetch()} />
        ) : (
          <Waiting lines={4} />
        )}
      </div>
    </main>
  );
}
