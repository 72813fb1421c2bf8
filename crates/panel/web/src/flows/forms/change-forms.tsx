import { Autocomplete } from '@mantine/core';
import { useBotFields, useTags } from '../../conditions/use-fields';
import { texts } from '../../i18n/texts';
import { useSequenceChoices } from '../build/use-names';
import { METHODS, type Method, type NodeOf, OPERATIONS, type Operation } from '../definition';
import { type FormProps, membersOf, useSurroundings } from './context';
import { CreateBotField } from './create-field';
import { CreateTag } from './create-tag';
import { JsonField } from './json-field';
import { PairsField } from './pairs-field';
import { PickField } from './pick-field';
import { TargetField } from './target-field';
import { TextField } from './text-field';

const t = texts('flow-forms');

/** A value as text. It is parsed as a number or boolean if possible, and `null` clears the field. */
function ValueField({
  value,
  onChange,
  hint,
}: {
  value: unknown;
  onChange: (value: unknown) => void;
  hint: string;
}) {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  const read = (it: string): unknown => (/^(-?\d+(\.\d+)?|true|false|null)$/.test(it) ? JSON.parse(it) : it);
  return (
    <TextField
      label={t('value')}
      hint={hint}
      field="/value"
      value={text}
      onChange={(it) => onChange(read(it))}
      long
      template
    />
  );
}

export function SetFieldForm({ node, set }: FormProps<NodeOf<'set_field'>>) {
  const { required } = membersOf({ node, set });
  const operation = node.operation ?? 'set';
  return (
    <>
      <TargetField label={t('target')} {...required('field')} />
      <PickField
        label={t('operation')}
        field="/operation"
        value={operation}
        options={OPERATIONS.map((it) => ({ value: it, label: t(`operations.${it}`) }))}
        onChange={(next) =>
          set({
            operation: next === 'set' ? undefined : (next as Operation),
            value: next === 'toggle' ? undefined : next === 'increment' ? 1 : (node.value ?? ''),
          })
        }
      />
      {operation !== 'toggle' && (
        <ValueField
          value={node.value}
          hint={t(`valueHints.${operation}`)}
          onChange={(value) => set({ value })}
        />
      )}
    </>
  );
}

export function SetBotFieldForm({ node, set }: FormProps<NodeOf<'set_bot_field'>>) {
  const { required } = membersOf({ node, set });
  const { data } = useBotFields();
  return (
    <>
      <PickField
        label={t('botField')}
        {...required('field')}
        options={(data ?? []).map((it) => ({ value: it.key, label: it.name }))}
      />
      <CreateBotField onCreated={(field) => set({ field })} />
      <ValueField value={node.value} hint={t('valueHints.set')} onChange={(value) => set({ value })} />
    </>
  );
}

export function TagForm({ node, set }: FormProps<NodeOf<'add_tag' | 'remove_tag'>>) {
  const { data: tags } = useTags();
  const { marks } = useSurroundings();
  const shown = tags?.find((it) => it.id === node.tag)?.name ?? node.tag ?? '';
  const isMissing = tags && shown.trim() !== '' && !tags.some((it) => isSame(it.name, shown));
  return (
    <>
      <Autocomplete
        label={t('tag')}
        description={t('tagHint')}
        data={[...new Set((tags ?? []).map((it) => it.name))]}
        value={shown}
        {...marks('/tag')}
        onChange={(tag) => set({ tag })}
      />
      {isMissing && <CreateTag key={shown} name={shown.trim()} />}
    </>
  );
}

/** Tag names ignore case. */
function isSame(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

export function SequenceForm(form: FormProps<NodeOf<'enroll_sequence' | 'exit_sequence'>>) {
  const { required } = membersOf(form);
  const { data } = useSequenceChoices();
  return (
    <PickField
      label={t('sequence')}
      {...required('sequence')}
      options={(data ?? []).map((it) => ({ value: it.id, label: it.name }))}
    />
  );
}

export function HttpRequestForm({ node, set }: FormProps<NodeOf<'http_request'>>) {
  const { optional } = membersOf({ node, set });
  return (
    <>
      <PickField
        label={t('method')}
        field="/method"
        value={node.method}
        options={METHODS}
        onChange={(method) => set({ method: method as Method, ...(method === 'GET' && { body: undefined }) })}
      />
      <TextField
        label={t('url')}
        hint={t('urlHint', { example: '{{ secrets.NAME }}' })}
        field="/url"
        value={node.url ?? ''}
        onChange={(url) => set({ url })}
        long
        mono
        template
        secrets
      />
      <PairsField
        label={t('headers')}
        hint={t('headersHint')}
        {...optional('headers')}
        names={t('header')}
        values={t('value')}
        add={t('addHeader')}
        template
      />
      {node.method !== 'GET' && (
        <JsonField label={t('body')} hint={t('bodyHint')} {...optional('body')} orText />
      )}
      <PairsField
        label={t('save')}
        hint={t('saveHint')}
        {...optional('save')}
        names={t('variable')}
        values="body.id"
        add={t('addSave')}
      />
    </>
  );
}
