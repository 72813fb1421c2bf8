import { Input, SegmentedControl, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Waiting } from '../components/states';
import type { Condition } from '../conditions/grammar';
import { useConditionFields } from '../conditions/use-fields';
import { texts } from '../i18n/texts';
import { useSegments } from '../segments/api';
import { Rules } from '../segments/rules';
import { type Audience, EVERYBODY, segmentOf } from './draft';

const t = texts('broadcasts');

interface Props {
  value: Audience;
  onChange: (audience: Audience) => void;
  error: string | undefined;
}

export function AudienceField({ value, onChange, error }: Props) {
  const { workspace } = useWhere();
  const { fields } = useConditionFields();
  const segment = segmentOf(value);
  const [bySegment, setBySegment] = useState(segment !== undefined);
  const shown = segment !== undefined || bySegment ? 'segment' : 'condition';
  // The server counts the contacts of each segment, so the list is read when it is shown.
  const segments = useSegments(workspace.id, shown === 'segment');
  return (
    <Input.Wrapper
      label={t('audience')}
      description={t('audienceHint')}
      error={error}
      labelElement="div"
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <div>
        <SegmentedControl
          aria-label={t('audience')}
          mt={4}
          mb="xs"
          value={shown}
          onChange={(next) => {
            setBySegment(next === 'segment');
            if (next === 'condition' && segment !== undefined) onChange(EVERYBODY);
          }}
          data={[
            { value: 'condition', label: t('condition') },
            { value: 'segment', label: t('segment') },
          ]}
        />
      </div>
      {shown === 'segment' ? (
        segments.data?.length === 0 ? (
          <Text c="dimmed">{t('noSegments')}</Text>
        ) : (
          <Select
            aria-label={t('segment')}
            placeholder={t('chooseSegment')}
            searchable
            allowDeselect={false}
            data={(segments.data ?? []).map((it) => ({
              value: it.id,
              label: t('segmentOption', { name: it.name, count: it.contact_count }),
            }))}
            value={segment ?? null}
            onChange={(id) => id && onChange({ segment_id: id })}
          />
        )
      ) : fields ? (
        <Rules
          label={t('audience')}
          hints={{ everybody: t('everybody'), unfinished: t('unfinished') }}
          value={segment === undefined ? (value as Condition) : EVERYBODY}
          onChange={onChange}
          fields={fields}
        />
      ) : (
        <Waiting lines={2} />
      )}
    </Input.Wrapper>
  );
}
