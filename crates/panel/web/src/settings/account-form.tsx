import { Button, Group, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '../api/problem';
import { Failure } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { useChangeAccount } from './api';
import { faultsOfPassword, toldOfPassword } from './password';
import classes from './settings.module.css';

const t = texts('settings');

/** Changes the name and the email address. A new address needs the password. */
export function AccountForm({ name, email }: { name: string; email: string }) {
  const [called, setCalled] = useState(name);
  const [address, setAddress] = useState(email);
  const [current, setCurrent] = useState('');
  const change = useChangeAccount();
  const moves = address.trim().toLowerCase() !== email;
  const renames = called.trim() !== name;
  const taken = change.error instanceof Problem && change.error.code === 'name_taken';
  const faults = taken ? { email: t('profile.taken') } : faultsOfPassword(change.error);
  const failure = change.error && Object.keys(faults).length === 0 ? toldOfPassword(change.error) : null;
  const typed = (set: (text: string) => void) => (event: React.ChangeEvent<HTMLInputElement>) => {
    set(event.currentTarget.value);
    if (!change.isPending) change.reset();
  };
  return (
    <SubmitForm
      className={classes.form}
      noValidate
      onSubmit={() =>
        change.mutate(
          {
            ...(renames && { name: called.trim() }),
            ...(moves && { email: address.trim(), current_password: current }),
          },
          { onSuccess: () => setCurrent('') },
        )
      }
    >
      <TextInput
        label={t('name')}
        autoComplete="name"
        maxLength={100}
        value={called}
        error={faults.name}
        onChange={typed(setCalled)}
      />
      <TextInput
        label={t('email')}
        type="email"
        autoComplete="email"
        maxLength={254}
        value={address}
        error={faults.email}
        onChange={typed(setAddress)}
      />
      {moves && (
        <PasswordInput
          label={t('profile.current')}
          description={t('profile.emailHint')}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': t('showPassword') }}
          value={current}
          error={faults.current_password}
          onChange={typed(setCurrent)}
        />
      )}
      {failure != null && <Failure error={failure} />}
      <div role="status" className={classes.saved}>
        {change.isSuccess && t('profile.saved')}
      </div>
      <Group>
        <Button
          type="submit"
          variant="default"
          loading={change.isPending}
          disabled={!called.trim() || !address.trim() || !(moves || renames) || (moves && !current)}
        >
          {t('profile.save')}
        </Button>
      </Group>
    </SubmitForm>
  );
}
