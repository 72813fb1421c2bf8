import { NumberInput, Switch, TagsInput } from '@mantine/core';
import { useWhere } from '../../app/here';
import { texts } from '../../i18n/texts';
import { useMembers } from '../../members/api';
import { ANSWERS, type Answer, type NodeOf } from '../definition';
import { type FormProps, useSurroundings } from './context';
import classes from './forms.module.css';
import { MessageField } from './message-field';
import { PickField } from './pick-field';
import { SpanField } from './span-field';
import { TargetField } from './target-field';
import { TextField } from './text-field';

const t = texts('flow-forms');

export function SendMessageForm({ node, set }: FormProps<NodeOf<'send_message'>>) {
  return (
    <MessageField
      label={t('text')}
      field="/message"
      value={node.message}
      onChange={(message) => set({ message })}
    />
  );
}

export function AskForm({ node, set }: FormProps<NodeOf<'ask'>>) {
  const { marks } = useSurroundings();
  const expect = node.expect ?? 'text';
  return (
    <>
      <MessageField
        label={t('question')}
        field="/message"
        value={node.message}
        onChange={(message) => set({ message })}
      />
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
      <TargetField
        label={t('saveTo')}
        field="/save_to"
        value={node.save_to}
        onChange={(save_to) => set({ save_to })}
      />
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
      <SpanField
        label={t('timeout')}
        hint={t('askTimeoutHint')}
        field="/timeout"
        value={node.timeout}
        onChange={(timeout) => set({ timeout })}
      />
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
          <MessageField
            label={t('text')}
            field="/invalid_message"
            value={node.invalid_message}
            onChange={(invalid_message) => set({ invalid_message })}
          />
        </div>
      )}
    </>
  );
}

export function NoteForm({ node, set }: FormProps<NodeOf<'note'>>) {
  return (
    <TextField
      label={t('text')}
      field="/text"
      value={node.text ?? ''}
      onChange={(text) => set({ text })}
      long
      template
    />
  );
}

export function AssignForm({ node, set }: FormProps<NodeOf<'assign_conversation'>>) {
  const { live, administers } = useWhere();
  const members = useMembers(live.id, administers);
  const common = {
    label: t('member'),
    field: '/user_id',
    value: node.user_id,
    onChange: (user_id: string | undefined) => set({ user_id }),
  };
  // Users who may not list members enter the ID.
  if (!administers) {
    return (
      <TextField
        {...common}
        hint={t('memberIdHint')}
        value={node.user_id ?? ''}
        mono
        onChange={(id) => set({ user_id: id || undefined })}
      />
    );
  }
  const options = (members.data ?? []).flatMap((it) => {
    const { id, name, email } = it as { id: string; name?: string | null; email: string };
    return id.startsWith('user_') ? [{ value: id, label: name || email }] : [];
  });
  return <PickField {...common} hint={t('memberHint')} none={t('anybody')} options={options} />;
}
