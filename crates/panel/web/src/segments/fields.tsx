import { Input, Text } from '@mantine/core';
import { useWhere } from '../app/here';
import type { FieldsProps } from '../catalog/catalog';
import { NameField } from '../catalog/key-fields';
import { Lost } from '../components/lost';
import { Failure, Waiting } from '../components/states';
import { useConditionFields } from '../conditions/use-fields';
import { described } from '../conditions/words';
import { texts } from '../i18n/texts';
import { type Segment, useSample } from './api';
import { Rules } from './rules';
import { SampleBox } from './sample';
import type { SegmentDraft } from './state';

const t = texts('segments');

/** The name and the condition of a segment, with matching contacts. */
export function SegmentFields({ draft, set, faults, row, readOnly }: FieldsProps<Segment, SegmentDraft>) {
  const { workspace } = useWhere();
  const { fields, error, retry } = useConditionFields();
  const sample = useSample(workspace.id, draft.condition);
  return (
    <>
      <NameField draft={draft} set={set} faults={faults} row={row} readOnly={readOnly} />
      <Lost references={row?.lost_references}>{t('lost')}</Lost>
      <Input.Wrapper
        label={t('condition')}
        description={readOnly ? undefined : t('conditionHint')}
        error={faults.condition}
        labelElement="div"
        inputWrapperOrder={['label', 'description', 'input', 'error']}
      >
        {!fields ? (
          error ? (
            <Failure error={error} retry={retry} />
          ) : (
            <Waiting lines={2} />
          )
        ) : readOnly ? (
          <Text>{described(draft.condition, fields)}</Text>
        ) : (
          <Rules
            label={t('condition')}
            hints={{ everybody: t('everybody'), unfinished: t('unfinished') }}
            hasFirstRule
            value={draft.condition}
            onChange={(condition) => set({ condition })}
            fields={fields}
            error={sample.error}
          />
        )}
      </Input.Wrapper>
      <SampleBox sample={sample} />
    </>
  );
}
