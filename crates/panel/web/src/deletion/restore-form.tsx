import { Button } from '@mantine/core';
import { useState } from 'react';
import alone from '../app/alone.module.css';
import { ChoiceCards } from '../components/choice-cards';
import { Failure } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { useOnce, useRestoreWorkspace } from './api';
import type { RestoredOutbound } from './views';

const t = texts('workspace-deletion');

const choices = () =>
  (['hold', 'send'] as const).map((value) => ({
    value,
    name: t(`lateChoices.${value}.name`),
    says: t(`lateChoices.${value}.says`),
  }));

/** Restores the workspace, with a choice for the messages that waited. */
export function RestoreForm({ ws }: { ws: string }) {
  // Waiting messages can still be sent after the restore. Sent messages cannot be recalled.
  const [outbound, setOutbound] = useState<RestoredOutbound>('hold');
  const restore = useRestoreWorkspace(ws);
  const start = useOnce(restore);
  return (
    <SubmitForm className={alone.form} onSubmit={() => start(outbound)}>
      <ChoiceCards label={t('late')} choices={choices()} value={outbound} onChange={setOutbound} />
      {restore.error && <Failure error={restore.error} />}
      <Button type="submit" fullWidth loading={restore.isPending || restore.isSuccess}>
        {t('restore')}
      </Button>
    </SubmitForm>
  );
}
