import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { ChoiceCards } from '../components/choice-cards';
import { SubmitForm } from '../components/submit-form';
import { useCustomFields } from '../conditions/use-fields';
import { texts } from '../i18n/texts';
import { ActionFields } from './action-fields';
import { actionOf, type Draft, kindsFor } from './actions';
import { usePreview } from './api';
import { type Audience, EVERYBODY } from './audience';
import { Refused } from './refused';
import { Sure } from './sure';

const t = texts('bulk');

interface Props {
  audience: Audience;
  /** The number of selected contacts. Absent for all contacts of the list. */
  chosen: number | undefined;
  onStarted: (id: string) => void;
}

/** Selects the action, previews it, and starts it after a confirmation. */
export function BulkForm({ audience, chosen, onStarted }: Props) {
  const { workspace, administers } = useWhere();
  const fields = useCustomFields().data ?? [];
  const [draft, setDraft] = useState<Draft>({ kind: 'tag', object: null, value: '' });
  const preview = usePreview(workspace.id);
  const action = actionOf(draft, fields);
  if (action && preview.data) {
    return (
      <Sure
        wanted={{ filter: audience, action }}
        preview={preview.data}
        onBack={preview.reset}
        onStarted={onStarted}
      />
    );
  }
  const isEverybody = JSON.stringify(audience) === JSON.stringify(EVERYBODY);
  const about = isEverybody ? t('unfiltered') : t('filtered');
  return (
    <SubmitForm
      onSubmit={() => {
        if (action) preview.mutate({ filter: audience, action });
      }}
    >
      <Text c={isEverybody ? 'var(--wait)' : 'dimmed'} mb="md">
        {chosen === undefined ? about : t('chosen', { count: chosen })}
      </Text>
      <ChoiceCards
        label={t('action')}
        choices={kindsFor(administers).map((value) => ({
          value,
          name: t(`actions.${value}.name`),
          says: t(`actions.${value}.hint`),
        }))}
        value={draft.kind}
        onChange={(kind) => setDraft({ kind, object: null, value: '' })}
      />
      <ActionFields draft={draft} onChange={setDraft} />
      <Refused error={preview.error} />
      <Group justify="flex-end" mt="lg">
        <Button type="submit" loading={preview.isPending} disabled={!action}>
          {t('countContacts')}
        </Button>
      </Group>
    </SubmitForm>
  );
}
