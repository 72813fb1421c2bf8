import { Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { type Scope, useCreateKey } from './api';
import { endOf, LIVES, type Life } from './life';
import { ScopeCards } from './scope';
import { ShownOnce } from './shown-once';

const t = texts('keys');

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The label of the button that creates the key. */
  verb?: string;
  /** The initial selection. */
  usual?: Usual;
}

interface Usual {
  scope: Scope;
  life: Life;
}

const USUAL: Usual = { scope: 'write', life: 'P90D' };

/** Asks for the purpose of a key and then shows it once. */
export function CreateKey({ opened, onClose, verb = t('create'), usual = USUAL }: Props) {
  const { workspace } = useWhere();
  const create = useCreateKey(workspace.id);
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <GuardedDrawer opened={opened} onClose={close} title={create.data ? t('created') : verb}>
      {create.data ? (
        <ShownOnce made={create.data} onDone={close} />
      ) : (
        <Form create={create} verb={verb} usual={usual} onCancel={close} />
      )}
    </GuardedDrawer>
  );
}

interface FormProps {
  create: ReturnType<typeof useCreateKey>;
  verb: string;
  usual: Usual;
  onCancel: () => void;
}

function Form({ create, verb, usual, onCancel }: FormProps) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState(usual.scope);
  const [life, setLife] = useState(usual.life);
  const faults = faultsByField(create.error);
  const elsewhere = create.error && Object.keys(faults).length === 0;
  return (
    <SubmitForm
      onSubmit={() => create.mutate({ name: name.trim(), scope, expires_at: endOf(life, Date.now()) })}
    >
      <Stack gap="lg">
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          placeholder={t('namePlaceholder')}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
          autoFocus
          value={name}
          error={faults.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ScopeCards value={scope} onChange={setScope} error={faults.scope} />
        <Input.Wrapper label={t('expires')} error={faults.expires_at} labelElement="div">
          <div>
            <SegmentedControl
              aria-label={t('expires')}
              value={life}
              onChange={(next) => setLife(next as Life)}
              data={LIVES.map((value) => ({ value, label: t(`lives.${value}`) }))}
            />
          </div>
        </Input.Wrapper>
        {elsewhere && <Failure error={create.error} />}
        <FormButtons onCancel={onCancel} loading={create.isPending} disabled={!name.trim()}>
          {verb}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}
