import { PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { isConflict } from '../forms/use-draft';
import { texts } from '../i18n/texts';
import { type Secret, usePutSecret } from './api';
import { hostsOf } from './hosts';

const t = texts('secrets');
const EXAMPLE = { name: 'CRM_TOKEN', host: 'api.example.com' };

interface Props {
  /** The secret to replace. Absent for a new secret. */
  secret?: Secret;
  onDone: () => void;
  onCreated?: (name: string) => void;
}

/** Creates or replaces a secret. The value must always be entered. */
export function SecretForm({ secret, onDone, onCreated }: Props) {
  const { workspace } = useWhere();
  const put = usePutSecret(workspace.id);
  const [name, setName] = useState(secret?.name ?? '');
  const [value, setValue] = useState('');
  const [hosts, setHosts] = useState(secret?.hosts.join('\n') ?? '');
  const faults = faultsByField(put.error);
  const conflict = isConflict(put.error);
  const elsewhere = put.error && !conflict && Object.keys(faults).length === 0;
  const complete = name !== '' && value !== '' && hostsOf(hosts).length > 0;
  return (
    <SubmitForm
      noValidate
      onSubmit={() => {
        const onSuccess = () => {
          if (!secret) onCreated?.(name);
          onDone();
        };
        if (complete)
          put.mutate({ name, body: { value, hosts: hostsOf(hosts) }, seen: secret }, { onSuccess });
      }}
    >
      <Stack gap="lg">
        {!secret && (
          <TextInput
            label={t('name')}
            description={t('nameHint')}
            placeholder={EXAMPLE.name}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={name}
            error={faults.name}
            onChange={(event) =>
              setName(event.currentTarget.value.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_'))
            }
          />
        )}
        <PasswordInput
          label={t('value')}
          description={secret ? t('newValueHint') : t('valueHint')}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          maxLength={4096}
          autoComplete="new-password"
          value={value}
          error={faults.value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Textarea
          label={t('hosts')}
          description={t('hostsHint')}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          placeholder={EXAMPLE.host}
          autosize
          minRows={2}
          spellCheck={false}
          value={hosts}
          error={faults.hosts}
          onChange={(event) => setHosts(event.currentTarget.value)}
        />
        {conflict && <Failure error={new Error(t('conflict'))} />}
        {elsewhere && <Failure error={put.error} />}
        <FormButtons onCancel={onDone} loading={put.isPending} disabled={!complete}>
          {secret ? t('replaceVerb') : t('create')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}
