import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import classes from '../app/alone.module.css';
import { session } from '../app/session';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { type AcceptInvitation, acceptInvitation } from './api';
import { requestOf, toldOfJoining } from './request';

const words = en.login;

/** Asks for a name and a password, makes the account and signs in with it. */
export function JoinForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [visible, setVisible] = useState(false);
  const signIn = useMutation({
    mutationFn: async () => {
      // Who was here before leaves first, and what they saw with them.
      if (session.snapshot().state === 'in') await session.signOut();
      await session.signIn(email, password);
    },
    onSuccess: () => navigate({ to: '/', replace: true }),
  });
  const accept = useMutation({
    mutationFn: (body: AcceptInvitation) => acceptInvitation(token, body),
    onSuccess: () => signIn.mutate(),
  });
  if (signIn.error) return <Made />;

  const { faults, failure } = toldOfJoining(accept.error, email);
  const submit = () => {
    const asked = requestOf(name, password);
    setWrong('faults' in asked ? asked.faults : {});
    if ('body' in asked) accept.mutate(asked.body);
  };
  const typed = (set: (text: string) => void) => (event: React.ChangeEvent<HTMLInputElement>) => {
    set(event.currentTarget.value);
    setWrong({});
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {/* Tells password managers whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextInput
        label={words.name}
        name="name"
        autoComplete="name"
        maxLength={100}
        required
        withAsterisk={false}
        autoFocus
        value={name}
        error={faults.name}
        onChange={typed(setName)}
      />
      <PasswordInput
        label={words.newPassword}
        description={words.newPasswordHint}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        name="password"
        autoComplete="new-password"
        maxLength={200}
        required
        withAsterisk={false}
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': visible ? words.hide : words.show }}
        value={password}
        error={wrong.password ?? faults.password}
        onChange={typed(setPassword)}
      />
      {failure != null && <Failure error={failure} />}
      <Button
        type="submit"
        fullWidth
        loading={accept.isPending || signIn.isPending || signIn.isSuccess}
        disabled={!name.trim() || !password}
      >
        {words.join}
      </Button>
    </form>
  );
}

/** The account is there, only signing in did not work: joining again would not, either. */
function Made() {
  return (
    <div className={classes.form}>
      <p role="alert" style={{ margin: 0 }}>
        {words.accountMade}
      </p>
      <Button component={Link} to="/login" fullWidth>
        {words.toSignIn}
      </Button>
    </div>
  );
}
