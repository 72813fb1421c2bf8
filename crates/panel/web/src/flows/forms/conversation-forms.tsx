import { NumberInput, Switch, TagsInput } from '@mantine/core';
import { useWhere } from '../../app/here';
import { mayWrite } from '../../app/places';
import { texts } from '../../i18n/texts';
import { useMembers } from '../../members/api';
import { useAssignees } from '../../members/assignees';
import { ANSWERS, type Answer, type NodeOf } from '../definition';
import { type FormProps, membersOf, useSurroundings } from './context';
import classes from './forms.module.css';
import { MessageField } from './message-field';
import { PickField } from './pick-field';
import { SpanField } from './span-field';
import { TargetField } from './target-field';
import { TextField } from './text-field';

const t = texts('flow-forms');
const summary = texts('flow-editor');

export function SendMessageForm(form: FormProps<NodeOf<'send_message'>>) {
  const { optional } = membersOf(form);
  return <MessageField label={t('text')} {...optional('message')} />;
}

export function AskForm({ node, set }: FormProps<NodeOf<'ask'>>) {
  const { optional } = membersOf({ node, set });
  const { marks } = useSurroundings();
  const expect = node.expect ?? 'text';
  return (
    <>
      <MessageField label={t('question')} {...optional('message')} />
      <PickField
        label={t('expect')}
        hint={t('expectHint')}
        field="/expect"
        value={expect}
        options={ANSWERS.map((it) => ({ value: it, label: t(`answers.${it}`) }))}
        onChange={(next) => set({ expect: next as Answer, ...(next !== 'select' && { options: undefined }) })}
      />
      {expect === 'select' && (
        <TagsInput
          label={t('options')}
          description={t('optionsHint')}
          value={node.options ?? []}
          {...marks('/options')}
          onChange={(options) => set({ options })}
        />
      )}
      <TargetField label={t('saveTo')} {...optional('save_to')} />
      <NumberInput
        label={t('attempts')}
        description={t('attemptsHint')}
        min={1}
        max={10}
        value={node.attempts ?? ''}
        placeholder="3"
        {...marks('/attempts')}
        onChange={(it) => set({ attempts: it === '' ? undefined : Number(it) })}
      />
      <SpanField label={t('timeout')} hint={t('askTimeoutHint')} {...optional('timeout')} />
      <Switch
        label={t('invalidMessage')}
        description={t('invalidMessageHint')}
        checked={node.invalid_message !== undefined}
        onChange={(event) =>
          set({ invalid_message: event.currentTarget.checked ? { type: 'text', text: '' } : undefined })
        }
      />
      {node.invalid_message && (
        <div className={classes.card}>
          <MessageField label={t('text')} {...optional('invalid_message')} />
        </div>
      )}
    </>
  );
}

export function NoteForm(form: FormProps<NodeOf<'note'>>) {
  const { optional } = membersOf(form);
  return <TextField label={t('text')} {...optional('text')} long template />;
}

export function AssignForm({ node, set }: FormProps<NodeOf<'assign_conversation'>>) {
  const { workspace, live, role, administers } = useWhere();
  const members = useMembers(live.id, administers).data;
  // Only admins can list all members.
  const assignees = useAssignees(workspace.id, !administers && mayWrite(role)).data;
  const joined = (members ?? []).filter((it) => it.id.startsWith('user_'));
  const options = administers
    ? joined.map(({ id, name, email }) => ({ value: id, label: name || email }))
    : (assignees ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isListed = !node.user_id || options.some((it) => it.value === node.user_id);
  return (
    <PickField
      label={t('member')}
      hint={t('memberHint')}
      field="/user_id"
      value={node.user_id}
      none={t('anybody')}
      options={
        isListed ? options : [...options, { value: node.user_id ?? '', label: summary('summary.oneAgent') }]
      }
      onChange={(user_id) => set({ user_id })}
    />
  );
}
