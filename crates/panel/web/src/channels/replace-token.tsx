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

/** Replaces the token of a bot. The server checks it before it is stored. */
export function ReplaceToken({ channel }: { channel: Channel }) {
  const { workspace } = useWhere();
  const replace = useReplaceToken(workspace.id, channel.id);
  const [token, setToken] = useState('');
  const { bot_token: fault } = faultsBelow(replace.error, 'secrets');
  return (
    <div className={classes.section}>
      <h3>{t('newToken')}</h3>
      <SubmitForm onSubmit={() => replace.mutate(token.trim(), { onSuccess: () => setToken('') })}>
        <PasswordInput
          label={t('botToken')}
          description={t('newTokenHint')}
          autoComplete="off"
          value={token}
          error={fault}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <div role="status">
          {replace.isSuccess && token === '' && t('tokenReplaced')}
          {replace.error && !fault && <Failure error={replace.error} />}
        </div>
        <Group justify="flex-end" mt="sm">
          <Button type="submit" variant="default" disabled={token.trim() === ''} loading={replace.isPending}>
            {t('replaceToken')}
          </Button>
        </Group>
      </SubmitForm>
    </div>
  );
}
