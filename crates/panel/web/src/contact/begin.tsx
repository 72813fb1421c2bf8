import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { type Act, type Contact, useAct, useNamed } from './api';

const t = texts('contact');

interface Props {
  contact: Contact;
  onDone: () => void;
}

const MODES = ['default', 'skip', 'restart', 'parallel'] as const;

export function StartForm({ contact, onDone }: Props) {
  const { workspace } = useWhere();
  const flows = useNamed(workspace.id).flows.filter(({ status }) => status === 'active');
  const [flow, setFlow] = useState<string | null>(null);
  const [mode, setMode] = useState<(typeof MODES)[number]>('default');
  return (
    <Begin
      contact={contact}
      onDone={onDone}
      verb={t('start')}
      act={flow ? { do: 'start', flow_id: flow, mode: mode === 'default' ? undefined : mode } : undefined}
    >
      {(faults) => (
        <>
          <Select
            label={t('flow')}
            description={t('flowHint')}
            data-autofocus
            searchable
            data={flows.map(({ id, name }) => ({ value: id, label: name }))}
            nothingFoundMessage={t('noFlows')}
            value={flow}
            error={faults.flow_id}
            onChange={setFlow}
          />
          <Select
            label={t('mode')}
            data={MODES.map((value) => ({ value, label: t(`modes.${value}`) }))}
            value={mode}
            allowDeselect={false}
            error={faults.mode}
            onChange={(it) => setMode(MODES.find((mode) => mode === it) ?? 'default')}
          />
        </>
      )}
    </Begin>
  );
}

export function EnrollForm({ contact, onDone }: Props) {
  const { workspace } = useWhere();
  const sequences = useNamed(workspace.id).sequences.filter(({ status }) => status === 'active');
  const [sequence, setSequence] = useState<string | null>(null);
  return (
    <Begin
      contact={contact}
      onDone={onDone}
      verb={t('enrollVerb')}
      act={sequence ? { do: 'enroll', sequence } : undefined}
    >
      {() => (
        <Select
          label={t('sequence')}
          data-autofocus
          searchable
          data={sequences.map(({ id, name }) => ({ value: id, label: name }))}
          nothingFoundMessage={t('noActiveSequences')}
          value={sequence}
          onChange={setSequence}
        />
      )}
    </Begin>
  );
}

interface BeginProps extends Props {
  verb: string;
  /** The action to run. Absent until the form is complete. */
  act: Act | undefined;
  children: (faults: Record<string, string>) => React.ReactNode;
}

function Begin({ contact, onDone, verb, act, children }: BeginProps) {
  const { workspace } = useWhere();
  const begin = useAct(workspace.id, contact.id);
  const faults = faultsByField(begin.error);
  return (
    <SubmitForm
      onSubmit={() => {
        if (act) begin.mutate(act, { onSuccess: onDone });
      }}
    >
      <Stack gap="md">
        {children(faults)}
        {begin.error && Object.keys(faults).length === 0 && <Failure error={begin.error} />}
        <FormButtons onCancel={onDone} loading={begin.isPending} disabled={!act}>
          {verb}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}
