import { Select } from '@mantine/core';
import { useCustomFields, useTags } from '../conditions/use-fields';
import { CustomInput } from '../contact/custom-input';
import { useFlowChoices, useSequenceChoices } from '../flows/build/use-names';
import { texts } from '../i18n/texts';
import type { Draft } from './actions';

const t = texts('bulk');

interface Props {
  draft: Draft;
  onChange: (draft: Draft) => void;
}

/** The fields of an action: its tag, custom field and value, sequence or flow. */
export function ActionFields({ draft, onChange }: Props) {
  switch (draft.kind) {
    case 'tag':
    case 'untag':
      return <TagSelect draft={draft} onChange={onChange} />;
    case 'set_field':
    case 'clear_field':
      return <FieldSelect draft={draft} onChange={onChange} />;
    case 'enroll':
      return <SequenceSelect draft={draft} onChange={onChange} />;
    case 'start_flow':
      return <FlowSelect draft={draft} onChange={onChange} />;
    case 'subscribe':
    case 'delete':
      return null;
  }
}

function TagSelect({ draft, onChange }: Props) {
  const tags = useTags().data ?? [];
  return (
    <Chosen
      label={t('tag')}
      placeholder={t('chooseTag')}
      nothing={t('noTag')}
      options={tags.map(({ id, name }) => ({ value: id, label: name }))}
      draft={draft}
      onChange={onChange}
    />
  );
}

function SequenceSelect({ draft, onChange }: Props) {
  const sequences = (useSequenceChoices().data ?? []).filter(({ status }) => status === 'active');
  return (
    <Chosen
      label={t('sequence')}
      placeholder={t('chooseSequence')}
      nothing={t('noSequence')}
      options={sequences.map(({ id, name }) => ({ value: id, label: name }))}
      draft={draft}
      onChange={onChange}
    />
  );
}

function FlowSelect({ draft, onChange }: Props) {
  const flows = (useFlowChoices().data ?? []).filter(({ status }) => status === 'active');
  return (
    <Chosen
      label={t('flow')}
      placeholder={t('chooseFlow')}
      nothing={t('noFlow')}
      options={flows.map(({ id, name }) => ({ value: id, label: name }))}
      draft={draft}
      onChange={onChange}
    />
  );
}

function FieldSelect({ draft, onChange }: Props) {
  const fields = useCustomFields().data ?? [];
  const field = fields.find(({ key }) => key === draft.object);
  return (
    <>
      <Chosen
        label={t('field')}
        placeholder={t('chooseField')}
        nothing={t('noField')}
        options={fields.map(({ key, name }) => ({ value: key, label: name }))}
        draft={draft}
        onChange={({ kind, object }) => onChange({ kind, object, value: '' })}
      />
      {field && draft.kind === 'set_field' && (
        <div style={{ marginTop: 'var(--mantine-spacing-md)' }}>
          <CustomInput
            field={{ ...field, name: t('value') }}
            readOnly={false}
            value={draft.value}
            error={undefined}
            onChange={(value) => onChange({ ...draft, value })}
          />
        </div>
      )}
    </>
  );
}

interface ChosenProps extends Props {
  label: string;
  placeholder: string;
  nothing: string;
  options: { value: string; label: string }[];
}

function Chosen({ label, placeholder, nothing, options, draft, onChange }: ChosenProps) {
  return (
    <Select
      mt="md"
      label={label}
      placeholder={placeholder}
      data={options}
      value={draft.object}
      searchable
      limit={50}
      nothingFoundMessage={nothing}
      onChange={(object) => onChange({ ...draft, object })}
    />
  );
}
