import { Button, Drawer, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { type Scope, useCreateKey } from '../keys/api';
import { ScopeCards } from '../keys/scope';
import { ShownOnce } from '../keys/shown-once';

const words = en.sandbox;

/** Asks what a test key is for, then shows it once. */
export function CreateTestKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { workspace: sandbox } = useWhere();
  const create = useCreateKey(sandbox.id);
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Drawer
      opened={opened}
      onClose={close}
      title={create.data ? words.newKey : words.createKey}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      {create.data ? (
        <ShownOnce made={create.data} onDone={close} />
      ) : (
        <Form create={create} onCancel={close} />
      )}
    </Drawer>
  );
}

function Form({ create, onCancel }: { create: ReturnType<typeof useCreateKey>; onCancel: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('full');
  const faults = faultsByField(create.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ name: name.trim(), scope, expires_at: null });
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
          value={name}
          error={faults.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ScopeCards value={scope} onChange={setScope} error={faults.scope} />
        {create.error && Object.keys(faults).length === 0 && <Failure error={create.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {en.common.cancel}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={!name.trim()}>
            {words.createKey}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
