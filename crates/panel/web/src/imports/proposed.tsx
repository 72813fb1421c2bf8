import { Button, Group, Text } from '@mantine/core';
import type { components } from '../api/schema';
import { texts } from '../i18n/texts';
import type { Column } from './check';
import classes from './columns.module.css';
import { type Decision, SKIP } from './decisions';
import { targetName } from './targets';

const t = texts('imports');

interface Props {
  name: string;
  column: Column;
  fields: components['schemas']['CustomField'][];
  onDecide: (decision: Decision) => void;
}

/** Asks whether to use the proposed target. Consent is never imported without this answer. */
export function Proposed({ name, column, fields, onDecide }: Props) {
  const proposal = column.target ?? SKIP;
  const target = targetName(proposal, fields);
  const isInverted = column.format === 'yes_no:inverted';
  const answer = (decision: Decision) => (event: React.MouseEvent<HTMLButtonElement>) => {
    // The question disappears, so the focus moves to the select above it.
    event.currentTarget.closest('[data-question]')?.parentElement?.querySelector('input')?.focus();
    onDecide(decision);
  };
  return (
    <div className={classes.question} data-question data-decide>
      <Text fw={500}>{isInverted ? t('proposedInverted', { target }) : t('proposed', { target })}</Text>
      {proposal === 'subscribed' && <Text c="dimmed">{t('proposedHint')}</Text>}
      <Group gap="xs" mt={4}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('confirmOf', { column: name, target })}
          onClick={answer({ target: proposal, format: column.format ?? undefined })}
        >
          {t('confirm')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('doNotOf', { column: name })}
          onClick={answer({ target: SKIP, format: undefined })}
        >
          {t('doNotImport')}
        </Button>
      </Group>
    </div>
  );
}
