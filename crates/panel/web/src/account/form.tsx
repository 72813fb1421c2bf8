import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import classes from '../app/alone.module.css';
import { session } from '../app/session';
import { Failure } from '../components/failure';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { missing } from '../settings/password-length';
import { ToSignIn } from './card';
import { type Told, toldOf } from './told';

const t = texts('login');

interface Props {
  email: string;
  /** Whether the form has a field for the name. */
  named?: boolean;
  /** The label of the button. */
  verb: string;
  /** The text if `act` succeeded and the sign-in failed. Submitting again would fail. */
  done: string;
  act: (typed: { name: string; password: string }) => Promise<void>;
  /** Describes an error if the API's message is not enough. */
  told?: (error: unknown) => Told;
}

/** A form for a new password. It calls `act` and then signs in. */
export function PasswordForm({ email, named, verb, done, act, told = toldOf }: Props) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [tooShort, setTooShort] = useState<string>();
  const [visible, setVisible] = useState(false);
  const signIn = useMutation({
    mutationFn: async () => {
      // Sign out the previous user first. This also clears the data that they loaded.
      if (session.snapshot().state === 'in') await session.signOut();
      await session.signIn(email, password);
    },
    onSuccess: () => navigate({ to: '/', replace: true }),
  });
  const acting = useMutation({
    mutationFn: () => act({ name: name.trim(), password }),
    onSuccess: () => signIn.mutate(),
  });
  if (signIn.error) {
    return (
      <div className={classes.form}>
        <p role="alert" style={{ margin: 0 }}>
          {done}
        </p>
        <ToSignIn />
      </div>
    );
  }
  const { faults, failure } = told(acting.error);
  return (
    <SubmitForm
      className={classes.form}
      noValidate
      onSubmit={() => {
        const lacking = missing(password);
        setTooShort(lacking > 0 ? t('tooShort', { count: lacking }) : undefined);
        if (lacking === 0) acting.mutate();
      }}
    >
      {/* Gives password managers the user name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {named && (
        <TextInput
          label={t('name')}
          name="name"
          autoComplete="name"
          maxLength={100}
          required
          withAsterisk={false}
          autoFocus
          value={name}
          error={faults.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <PasswordInput
        label={t('newPassword')}
        description={t('newPasswordHint')}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        name="password"
        autoComplete="new-password"
        maxLength={200}
        required
        withAsterisk={false}
        autoFocus={!named}
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{
          tabIndex: 0,
          'aria-label': visible ? t('hidePassword') : t('showPassword'),
        }}
        value={password}
        error={tooShort ?? faults.password}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setTooShort(undefined);
        }}
      />
      {failure != null && <Failure error={failure} />}
      <Button
        type="submit"
        fullWidth
        loading={acting.isPending || signIn.isPending || signIn.isSuccess}
        disabled={(named && !name.trim()) || !password}
      >
        {verb}
      </Button>
    </SubmitForm>
  );
}
