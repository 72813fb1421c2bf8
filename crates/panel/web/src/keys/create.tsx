import { Button, Group, Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { type Scope, useCreateKey } from './api';
import { endOf, type Life } from './life';
import { ScopeCards } from './scope';
import { ShownOnce } from './shown-once';

const words = en.keys;

interface Props {
  opened: boolean;
  onClose: () => void;
  /** What the button says. */
  verb?: string;
  /** What is chosen at first. */
  usual?: Usual;
}

interface Usual {
  scope: Scope;
  life: Life;
}

const USUAL: Usual = { scope: 'write', life: 'P90D' };

/** Asks what a key is for, then shows it once. */
export function CreateKey({ opened, onClose, verb = words.create, usual = USUAL }: Props) {
  const { workspace } = useWhere();
  const create = useCreateKey(workspace.id);
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <GuardedDrawer
      opened={opened}
      onClose={close}
      title={create.data ? words.made : verb}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ name: name.trim(), scope, expires_at: endOf(life, Date.now()) });
      }}
    >
      <Stack gap="lg">
        <TextInput
          label={words.name}
          description={words.nameHint}
          placeholder={words.namePlaceholder}
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
        <Input.Wrapper label={words.expires} error={faults.expires_at} labelElement="div">
          <div>
            <SegmentedControl
              aria-label={words.expires}
              value={life}
              onChange={(next) => setLife(next as Life)}
              data={Object.entries(words.lives).map(([value, label]) => ({ value, label }))}
            />
          </div>
        </Input.Wrapper>
        {elsewhere && <Failure error={create.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {en.common.cancel}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={!name.trim()}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
