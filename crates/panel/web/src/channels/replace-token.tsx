import { Button, Group, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { faultsBelow } from '../api/problem';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { type Channel, useReplaceToken } from './api';
import classes from './channels.module.css';

const t = texts('channels');

/** The texts of each secret that can be replaced. */
const SECRETS = {
  bot_token: { label: 'botToken', hint: 'newTokenHint' },
  auth_token: { label: 'authToken', hint: 'newAuthTokenHint' },
  access_token: { label: 'accessToken', hint: 'newAccessTokenHint' },
  app_secret: { label: 'appSecret', hint: 'newAppSecretHint' },
} as const;

interface Props {
  channel: Channel;
  secret: keyof typeof SECRETS;
}

/** Replaces a secret of a channel. The server checks a token before it is stored. */
export function ReplaceToken({ channel, secret }: Props) {
  const { workspace } = useWhere();
  const replace = useReplaceToken(workspace.id, channel.id, secret);
  const [token, setToken] = useState('');
  const { [secret]: fault } = faultsBelow(replace.error, 'secrets');
  const { label, hint } = SECRETS[secret];
  // A WhatsApp channel has two secrets, so its buttons have another text.
  const isToken = secret === 'bot_token' || secret === 'auth_token';
  return (
    <div className={classes.section}>
      <h3>{t(label)}</h3>
      <SubmitForm onSubmit={() => replace.mutate(token.trim(), { onSuccess: () => setToken('') })}>
        <PasswordInput
          label={t(label)}
          description={t(hint)}
          autoComplete="off"
          value={token}
          error={fault}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <div role="status">
          {replace.isSuccess && token === '' && t(isToken ? 'tokenReplaced' : 'secretReplaced')}
          {replace.error && !fault && <Failure error={replace.error} />}
        </div>
        <Group justify="flex-end" mt="sm">
          <Button type="submit" variant="default" disabled={token.trim() === ''} loading={replace.isPending}>
            {t(isToken ? 'replaceToken' : 'replaceSecret')}
          </Button>
        </Group>
      </SubmitForm>
    </div>
  );
}
