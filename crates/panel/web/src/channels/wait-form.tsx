import { Input, Select } from '@mantine/core';
import { faultsBelow } from '../api/problem';
import { DurationInput } from '../conditions/duration-input';
import { spanInWords } from '../flows/graph/phrases';
import { texts } from '../i18n/texts';
import type { WaitRule } from './api';
import classes from './channels.module.css';

const t = texts('channels');

const MODES: WaitRule['mode'][] = ['wait', 'suppress'];

/** A rule as a sentence. */
export function waitText({ mode, for: duration }: WaitRule): string {
  return t(`whileDisconnectedValues.${mode}`, { duration: spanInWords(duration) });
}

interface Props {
  /** Undefined on a server of an earlier release. */
  rule: WaitRule | undefined;
  /** The error of the last request. */
  error: unknown;
  onChange: (rule: WaitRule) => void;
}

/** Edits what happens to messages while the provider rejects the channel. */
export function WaitForm({ rule, error, onChange }: Props) {
  if (!rule) return null;
  const faults = faultsBelow(error, 'while_disconnected');
  return (
    <>
      <Select
        label={t('whileDisconnected')}
        description={t('whileDisconnectedHint')}
        error={faults.mode}
        data={MODES.map((mode) => ({ value: mode, label: t(`whileDisconnectedModes.${mode}`) }))}
        value={rule.mode}
        allowDeselect={false}
        onChange={(mode) => onChange({ ...rule, mode: mode as WaitRule['mode'] })}
      />
      {rule.mode === 'wait' && (
        <Input.Wrapper
          component="fieldset"
          aria-label={t('longestWait')}
          className={classes.wait}
          label={t('longestWait')}
          labelElement="div"
          description={t('longestWaitHint')}
          error={faults.for}
        >
          <DurationInput value={rule.for} onChange={(duration) => onChange({ ...rule, for: duration })} />
        </Input.Wrapper>
      )}
    </>
  );
}
