import { NumberInput, Switch, TagsInput } from '@mantine/core';
import { useWhere } from '../../app/here';
import { texts } from '../../i18n/texts';
import { useMembers } from '../../members/api';
import { ANSWERS, type Answer, type NodeOf } from '../definition';
import { type FormProps, membersOf, useSurroundings } from './context';
import classes from './forms.module.css';
import { MessageField } from './message-field';
import { PickField } from './pick-field';
import { SpanField } from './span-field';
import { TargetField } from './target-field';
import { TextField } from './text-field';

const t = texts('flow-forms');

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
