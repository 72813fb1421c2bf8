import { texts } from '../../i18n/texts';
import type { FlowNode } from '../definition';
import { HttpRequestForm, SequenceForm, SetBotFieldForm, SetFieldForm, TagForm } from './change-forms';
import { patched } from './context';
import { AskForm, AssignForm, NoteForm, SendMessageForm } from './conversation-forms';
import { BranchForm, DelayForm, SplitForm, StartFlowForm, WaitForEventForm } from './flow-forms';
import { JsonField } from './json-field';

const t = texts('flow-forms');

interface Props {
  node: FlowNode;
  onChange: (node: FlowNode, about: string) => void;
}

export function NodeForm({ node, onChange }: Props) {
  const set = (patch: object) => onChange(patched(node, patch as never), Object.keys(patch).join());
  switch (node.type) {
    case 'send_message':
      return <SendMessageForm node={node} set={set} />;
    case 'ask':
      return <AskForm node={node} set={set} />;
    case 'wait_for_event':
      return <WaitForEventForm node={node} set={set} />;
    case 'delay':
      return <DelayForm node={node} set={set} />;
    case 'branch':
      return <BranchForm node={node} set={set} />;
    case 'split':
      return <SplitForm node={node} set={set} />;
    case 'set_field':
      return <SetFieldForm node={node} set={set} />;
    case 'set_bot_field':
      return <SetBotFieldForm node={node} set={set} />;
    case 'add_tag':
    case 'remove_tag':
      return <TagForm node={node} set={set} />;
    case 'enroll_sequence':
    case 'exit_sequence':
      return <SequenceForm node={node} set={set} />;
    case 'http_request':
      return <HttpRequestForm node={node} set={set} />;
    case 'assign_conversation':
      return <AssignForm node={node} set={set} />;
    case 'note':
      return <NoteForm node={node} set={set} />;
    case 'start_flow':
      return <StartFlowForm node={node} set={set} />;
    case 'resolve_conversation':
    case 'end':
      return null;
    default:
      return <Unknown node={node} onChange={onChange} />;
  }
}

/** A node of an unknown type, as JSON. */
function Unknown({ node, onChange }: { node: FlowNode; onChange: Props['onChange'] }) {
  const accept = (it: unknown) => typeof it === 'object' && it !== null && 'id' in it && 'type' in it;
  return (
    <JsonField
      label={t('asJson')}
      field=""
      value={node}
      accept={accept}
      onChange={(next) => next && onChange(next as FlowNode, 'json')}
    />
  );
}
