import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import classes from '../app/alone.module.css';
import { session } from '../app/session';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { missing } from '../settings/password';
import { setPassword } from './api';

const words = en.login;

/** Asks for another password, sets it and signs in with it. */
export function ResetForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const [password, setTyped] = useState('');
  const [tooShort, setTooShort] = useState<string>();
  const [visible, setVisible] = useState(false);
  const signIn = useMutation({
    mutationFn: async () => {
      // Who was here before leaves first, and what they saw with them.
      if (session.snapshot().state === 'in') await session.signOut();
      await session.signIn(email, password);
    },
    onSuccess: () => navigate({ to: '/', replace: true }),
  });
  const change = useMutation({
    mutationFn: () => setPassword(token, password),
    onSuccess: () => signIn.mutate(),
  });
  if (signIn.error) {
    return (
      <div className={classes.form}>
        <p role="alert" style={{ margin: 0 }}>
          {words.resetDone}
        </p>
        <Button component={Link} to="/login" fullWidth>
          {words.toSignIn}
        </Button>
      </div>
    );
  }
  const faults = faultsByField(change.error);
  const failure = change.error && Object.keys(faults).length === 0 ? change.error : null;
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const lacking = missing(password);
        setTooShort(lacking > 0 ? words.tooShort(lacking) : undefined);
        if (lacking === 0) change.mutate();
      }}
    >
      {/* Tells password managers whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={words.newPassword}
        description={words.newPasswordHint}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        name="password"
        autoComplete="new-password"
        maxLength={200}
        required
        withAsterisk={false}
        autoFocus
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': visible ? words.hide : words.show }}
        value={password}
        error={tooShort ?? faults.password}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setTooShort(undefined);
        }}
      />
      {failure != null && <Failure error={failure} />}
      <Button
        type="submit"
        fullWidth
        loading={change.isPending || signIn.isPending || signIn.isSuccess}
        disabled={!password}
      >
        {words.resetVerb}
      </Button>
    </form>
  );
}
