import { Autocomplete } from '@mantine/core';
import { useBotFields, useTags } from '../../conditions/use-fields';
import { texts } from '../../i18n/texts';
import { useSequenceChoices } from '../build/use-names';
import { METHODS, type Method, type NodeOf, OPERATIONS, type Operation } from '../definition';
import { type FormProps, useSurroundings } from './context';
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
  const operation = node.operation ?? 'set';
  return (
    <>
      <TargetField
        label={t('target')}
        field="/field"
        value={node.field}
        onChange={(field) => set({ field: field ?? '' })}
      />
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
  const { data } = useBotFields();
  return (
    <>
      <PickField
        label={t('botField')}
        field="/field"
        value={node.field || undefined}
        options={(data ?? []).map((it) => ({ value: it.key, label: it.name }))}
        onChange={(field) => set({ field: field ?? '' })}
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

export function SequenceForm({ node, set }: FormProps<NodeOf<'enroll_sequence' | 'exit_sequence'>>) {
  const { data } = useSequenceChoices();
  return (
    <PickField
      label={t('sequence')}
      field="/sequence"
      value={node.sequence || undefined}
      options={(data ?? []).map((it) => ({ value: it.id, label: it.name }))}
      onChange={(sequence) => set({ sequence: sequence ?? '' })}
    />
  );
}

export function HttpRequestForm({ node, set }: FormProps<NodeOf<'http_request'>>) {
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
        field="/headers"
        value={node.headers}
        onChange={(headers) => set({ headers })}
        names={t('header')}
        values={t('value')}
        add={t('addHeader')}
        template
      />
      {node.method !== 'GET' && (
        <JsonField
          label={t('body')}
          hint={t('bodyHint')}
          field="/body"
          value={node.body}
          orText
          onChange={(body) => set({ body })}
        />
      )}
      <PairsField
        label={t('save')}
        hint={t('saveHint')}
        field="/save"
        value={node.save}
        onChange={(save) => set({ save })}
        names={t('variable')}
        values="body.id"
        add={t('addSave')}
      />
    </>
  );
}
