import { useFlowChoices } from '../flows/build/use-names';
import { messageInWords } from '../flows/graph/summary';
import { texts } from '../i18n/texts';
import type { Step } from './steps';

const t = texts('sequences');

/** The action of a step in one line: the start of its message, or the flow that it starts. */
export function stepText({ action }: Step, flows: { id: string; name: string }[] | undefined): string {
  if (action.type === 'send_message') return messageInWords(action.message as never);
  if (!action.flow_id) return t('noFlow');
  return t('startsFlow', { name: flows?.find((it) => it.id === action.flow_id)?.name ?? action.flow_id });
}

/** The text of a step, or its ID if the sequence no longer contains the step. */
export function StepName({ id, steps }: { id: string; steps: Step[] }) {
  const step = steps.find((it) => it.id === id);
  const { data: flows } = useFlowChoices(step?.action.type === 'start_flow');
  if (!step) return <code>{id}</code>;
  const text = stepText(step, flows);
  return (
    <span className="one-line" title={text}>
      {text}
    </span>
  );
}
