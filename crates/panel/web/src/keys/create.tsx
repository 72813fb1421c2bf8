import { Button, Drawer, Group, Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { type Scope, useCreateKey } from './api';
import { endOf, type Life } from './life';
import { ScopeCards } from './scope';
import { ShownOnce } from './shown-once';

const words = en.keys;

/** Asks what a key is for, then shows it once. */
export function CreateKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { workspace } = useWhere();
  const create = useCreateKey(workspace.id);
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Drawer
      opened={opened}
      onClose={close}
      title={create.data ? words.made : words.create}
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
  const [scope, setScope] = useState<Scope>('write');
  const [life, setLife] = useState<Life>('P90D');
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
            {words.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
