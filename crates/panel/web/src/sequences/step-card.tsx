import { ActionIcon, SegmentedControl } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconMessage, IconRoute, IconX } from '@tabler/icons-react';
import { useFlowChoices } from '../flows/build/use-names';
import type { Window } from '../flows/definition';
import { useSurroundings } from '../flows/forms/context';
import { MessageField } from '../flows/forms/message-field';
import { PickField } from '../flows/forms/pick-field';
import { SpanField } from '../flows/forms/span-field';
import { WindowField } from '../flows/forms/window-field';
import { spanInWords, windowInWords } from '../flows/graph/phrases';
import { texts } from '../i18n/texts';
import classes from './sequences.module.css';
import { stepText } from './step-name';
import type { Action, Step } from './steps';

const t = texts('sequences');

interface Props {
  step: Step;
  number: number;
  last: boolean;
  writes: boolean;
  /** Whether the API rejected the step. */
  faulty: boolean;
  opened: boolean;
  onOpen: (opened: boolean) => void;
  onChange: (step: Step) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

/** A step on the time line: a summary, or an open form. */
export function StepCard(props: Props) {
  const { step, number, last, writes, faulty, opened, onOpen, onMove, onRemove } = props;
  const { data: flows } = useFlowChoices();
  const { action } = step;
  const Sign = action.type === 'send_message' ? IconMessage : IconRoute;
  const summary = (
    <>
      <Sign size={18} className={classes.sign} aria-hidden />
      <span className={classes.words}>
        <span className={classes.says}>{stepText(step, flows)}</span>
        <span className={classes.when}>
          {t(number === 1 ? 'afterEnrollment' : 'after', { span: spanInWords(step.delay) })}
          {step.window && `, ${windowInWords(step.window as Window)}`}
        </span>
      </span>
    </>
  );
  return (
    <div className={classes.card} data-faulty={faulty || undefined}>
      <div className={classes.head}>
        {writes ? (
          <button
            type="button"
            className={classes.open}
            aria-expanded={opened}
            onClick={() => onOpen(!opened)}
          >
            {summary}
          </button>
        ) : (
          <div className={classes.open}>{summary}</div>
        )}
        {writes && (
          <div className={classes.tools}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('up', { number })}
              disabled={number === 1}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('down', { number })}
              disabled={last}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('removeStep', { number })}
              onClick={onRemove}
            >
              <IconX size={16} />
            </ActionIcon>
          </div>
        )}
      </div>
      {opened && writes && <Fields {...props} />}
    </div>
  );
}

const ACTIONS = ['send_message', 'start_flow'] as const;
const NEW: Record<Action['type'], Action> = {
  send_message: { type: 'send_message', message: { type: 'text', text: '' } },
  start_flow: { type: 'start_flow', flow_id: '' },
};

function Fields({ step, number, onChange }: Props) {
  const { data: flows } = useFlowChoices();
  const { fault } = useSurroundings();
  const { action } = step;
  return (
    <div className={classes.fields}>
      <SpanField
        label={number === 1 ? t('firstDelay') : t('delay')}
        field="/delay"
        value={step.delay}
        onChange={(delay) => onChange({ ...step, delay: delay ?? 'PT0S' })}
      />
      <WindowField
        value={(step.window ?? undefined) as Window | undefined}
        onChange={(window) => onChange({ ...step, window: window ?? null })}
      />
      <SegmentedControl
        aria-label={t('action')}
        value={action.type}
        onChange={(type) => onChange({ ...step, action: NEW[type as Action['type']] })}
        data={ACTIONS.map((value) => ({ value, label: t(`actions.${value}`) }))}
      />
      {action.type === 'send_message' ? (
        <MessageField
          label={t('text')}
          field="/action/message"
          value={action.message}
          onChange={(message) => onChange({ ...step, action: { type: 'send_message', message } })}
        />
      ) : (
        <PickField
          label={t('flow')}
          field="/action/flow_id"
          value={action.flow_id || undefined}
          options={(flows ?? []).map((it) => ({ value: it.id, label: it.name }))}
          onChange={(flow_id) =>
            onChange({ ...step, action: { type: 'start_flow', flow_id: flow_id ?? '' } })
          }
        />
      )}
      {fault('/id') && <span className={classes.fault}>{fault('/id')}</span>}
      <span className={classes.id}>{t.rich('stepId', { id: <code>{step.id}</code> })}</span>
    </div>
  );
}
