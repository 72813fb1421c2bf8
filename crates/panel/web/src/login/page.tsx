import { Button, PasswordInput, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Problem } from '../api/problem';
import classes from '../app/alone.module.css';
import { Brand } from '../app/brand';
import { session } from '../app/session';
import { useSession } from '../app/use-session';
import { Failure, told } from '../components/failure';
import { SubmitForm } from '../components/submit-form';
import { LanguageField } from '../i18n/language-field';
import { faultMessage } from '../i18n/problems';
import { texts } from '../i18n/texts';

const t = texts('login');

/** The page to open after signing in. It is always a page of the panel. */
export function destination(to: string | undefined): string {
  return to?.startsWith('/') && !to.startsWith('//') && !to.startsWith('/\\') ? to : '/';
}

/** Describes a failed sign-in in a sentence. */
export function reason(error: unknown): string {
  if (error instanceof Problem && error.status === 401) return t('wrong');
  if (error instanceof Problem && error.status === 429) return throttled(error.retryAfter ?? 60);
  const fault = error instanceof Problem ? error.faults[0] : undefined;
  return fault ? told(new Error(faultMessage(fault))) : told(error);
}

function throttled(seconds: number): string {
  return seconds < 90
    ? t('throttledSeconds', { count: seconds })
    : t('throttledMinutes', { count: Math.ceil(seconds / 60) });
}

export function Login() {
  const current = useSession();
  const { to } = useSearch({ from: '/login' });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({ mutationFn: () => session.signIn(email.trim(), password) });

  useEffect(() => {
    document.title = `${t('signIn')} · ${t('product')}`;
  }, []);

  if (current.state === 'in') return <Navigate to={destination(to)} replace />;
  if (current.state === 'unknown') return null;
  return (
    <main className={classes.alone}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Brand />
          {t('product')}
        </div>
        <Title order={1}>{t('signIn')}</Title>
        {current.state === 'out' && current.why === 'ended' && <p className="dimmed">{t('ended')}</p>}
        <SubmitForm className={classes.form} noValidate onSubmit={() => signIn.mutate()}>
          <TextInput
            label={t('email')}
            type="email"
            name="email"
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('password')}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {signIn.error && <Failure error={new Error(reason(signIn.error))} />}
          <Button type="submit" fullWidth loading={signIn.isPending} disabled={!email || !password}>
            {t('signIn')}
          </Button>
        </SubmitForm>
        <p className={classes.hint}>{t('hint')}</p>
        <LanguageField />
      </div>
    </main>
  );
}
