import { Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { contact as words } from '../i18n/en/contact';
import { type Act, type Contact, useAct, useNamed } from './api';

interface Props {
  contact: Contact;
  onDone: () => void;
}

const MODES = Object.entries(words.modes).map(([value, label]) => ({ value, label }));

/** Starts a flow for a contact. */
export function StartForm({ contact, onDone }: Props) {
  const { workspace } = useWhere();
  const flows = useNamed(workspace.id).flows.filter(({ status }) => status === 'active');
  const [flow, setFlow] = useState<string | null>(null);
  const [mode, setMode] = useState('');
  const modes = { '': undefined, skip: 'skip', restart: 'restart', parallel: 'parallel' } as const;
  return (
    <Begin
      contact={contact}
      onDone={onDone}
      verb={words.startVerb}
      act={flow ? { do: 'start', flow_id: flow, mode: modes[mode as keyof typeof modes] } : undefined}
    >
      {(faults) => (
        <>
          <Select
            label={words.flow}
            description={words.flowHint}
            data-autofocus
            searchable
            data={flows.map(({ id, name }) => ({ value: id, label: name }))}
            nothingFoundMessage={words.noFlows}
            value={flow}
            error={faults.flow_id}
            onChange={setFlow}
          />
          <Select
            label={words.mode}
            data={MODES}
            value={mode}
            allowDeselect={false}
            error={faults.mode}
            onChange={(it) => setMode(it ?? '')}
          />
        </>
      )}
    </Begin>
  );
}

/** Enrolls a contact in a sequence. */
export function EnrollForm({ contact, onDone }: Props) {
  const { workspace } = useWhere();
  const sequences = useNamed(workspace.id).sequences.filter(({ status }) => status === 'active');
  const [sequence, setSequence] = useState<string | null>(null);
  return (
    <Begin
      contact={contact}
      onDone={onDone}
      verb={words.enrollVerb}
      act={sequence ? { do: 'enroll', sequence } : undefined}
    >
      {() => (
        <Select
          label={words.sequence}
          data-autofocus
          searchable
          data={sequences.map(({ id, name }) => ({ value: id, label: name }))}
          nothingFoundMessage={words.noSequencesActive}
          value={sequence}
          onChange={setSequence}
        />
      )}
    </Begin>
  );
}

interface BeginProps extends Props {
  verb: string;
  /** What is sent; absent until enough is chosen. */
  act: Act | undefined;
  children: (faults: Record<string, string>) => React.ReactNode;
}

function Begin({ contact, onDone, verb, act, children }: BeginProps) {
  const { workspace } = useWhere();
  const begin = useAct(workspace.id, contact.id);
  const faults = faultsByField(begin.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (act) begin.mutate(act, { onSuccess: onDone });
      }}
    >
      <Stack gap="md">
        {children(faults)}
        {begin.error && Object.keys(faults).length === 0 && <Failure error={begin.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {en.common.cancel}
          </Button>
          <Button type="submit" loading={begin.isPending} disabled={!act}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
