import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { toldOf } from '../account/told';
import classes from '../app/alone.module.css';
import { session } from '../app/session';
import { Failure } from '../components/failure';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { acceptSignedIn } from './api';

const t = texts('login');

/** Accepts an invitation as the signed-in user, who confirms it with the password. */
export function JoinSignedIn({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const join = useMutation({
    mutationFn: () => acceptSignedIn(token, password),
    onSuccess: async () => {
      await session.reload();
      await navigate({ to: '/', replace: true });
    },
  });
  const { faults, failure } = toldOf(join.error);
  return (
    <SubmitForm className={classes.form} noValidate onSubmit={() => join.mutate()}>
      <p style={{ margin: 0 }}>{t('joinSignedInAs', { email })}</p>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={t('currentPassword')}
        name="current_password"
        autoComplete="current-password"
        maxLength={200}
        required
        withAsterisk={false}
        value={password}
        error={faults.current_password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {failure != null && <Failure error={failure} />}
      <Button type="submit" fullWidth loading={join.isPending || join.isSuccess} disabled={!password}>
        {t('joinWithAccount')}
      </Button>
    </SubmitForm>
  );
}
