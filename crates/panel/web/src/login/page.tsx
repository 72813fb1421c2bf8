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
import { login } from '../i18n/en/login';
import { common } from '../i18n/en/shell';

/** Where to go after signing in: a page of the panel, never another place. */
export function destination(to: string | undefined): string {
  return to?.startsWith('/') && !to.startsWith('//') && !to.startsWith('/\\') ? to : '/';
}

/** What a failed sign-in means. */
export function reason(error: unknown): string {
  if (error instanceof Problem && error.status === 401) return login.wrong;
  if (error instanceof Problem && error.status === 429) return login.throttled(error.retryAfter ?? 60);
  const fault = error instanceof Problem ? error.faults[0] : undefined;
  return fault ? told(new Error(fault.message)) : told(error);
}

export function Login() {
  const current = useSession();
  const { to } = useSearch({ from: '/login' });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({ mutationFn: () => session.signIn(email.trim(), password) });

  useEffect(() => {
    document.title = `${login.title} · ${common.product}`;
  }, []);

  if (current.state === 'in') return <Navigate to={destination(to)} replace />;
  if (current.state === 'unknown') return null;
  return (
    <main className={classes.alone}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Brand />
          {common.product}
        </div>
        <Title order={1}>{login.title}</Title>
        {current.state === 'out' && current.why === 'ended' && <p className="dimmed">{login.ended}</p>}
        <form
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            signIn.mutate();
          }}
        >
          <TextInput
            label={login.email}
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
            label={login.password}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {signIn.error && <Failure error={new Error(reason(signIn.error))} />}
          <Button type="submit" fullWidth loading={signIn.isPending} disabled={!email || !password}>
            {login.submit}
          </Button>
        </form>
        <p className={classes.hint}>{login.hint}</p>
      </div>
    </main>
  );
}
