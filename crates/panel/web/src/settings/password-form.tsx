import { Button, Group, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { useChangePassword } from './api';
import { faultsOfPassword, toldOfPassword } from './password';
import { missing } from './password-length';
import classes from './settings.module.css';

const t = texts('settings');

export function PasswordForm({ email }: { email: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [visible, setVisible] = useState(false);
  const shown = {
    visible,
    onVisibilityChange: setVisible,
    visibilityToggleButtonProps: {
      tabIndex: 0,
      'aria-label': visible ? t('hidePassword') : t('showPassword'),
    },
  };
  const [tooShort, setTooShort] = useState<string>();
  const change = useChangePassword();
  const faults = faultsOfPassword(change.error);
  const failure = change.error && Object.keys(faults).length === 0 ? toldOfPassword(change.error) : null;
  const submit = () => {
    const lacking = missing(next);
    setTooShort(lacking > 0 ? t('tooShort', { count: lacking }) : undefined);
    if (lacking > 0) return;
    change.mutate(
      { current_password: current, new_password: next },
      {
        onSuccess: () => {
          setCurrent('');
          setNext('');
        },
      },
    );
  };
  const typed = (set: (text: string) => void) => (event: React.ChangeEvent<HTMLInputElement>) => {
    set(event.currentTarget.value);
    setTooShort(undefined);
    if (!change.isPending) change.reset();
  };
  return (
    <SubmitForm className={classes.form} noValidate onSubmit={submit}>
      {/* Gives password managers the user name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={t('profile.current')}
        autoComplete="current-password"
        {...shown}
        value={current}
        error={faults.current_password}
        onChange={typed(setCurrent)}
      />
      <PasswordInput
        label={t('profile.next')}
        description={t('profile.nextHint')}
        autoComplete="new-password"
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        {...shown}
        value={next}
        error={tooShort ?? faults.new_password}
        onChange={typed(setNext)}
      />
      {failure != null && <Failure error={failure} />}
      <div role="status" className={classes.saved}>
        {change.isSuccess && t('profile.changed')}
      </div>
      <Group>
        <Button type="submit" variant="default" loading={change.isPending} disabled={!current || !next}>
          {t('profile.change')}
        </Button>
      </Group>
    </SubmitForm>
  );
}
