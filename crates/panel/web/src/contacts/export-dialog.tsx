import { Checkbox, Modal, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { useCustomFields } from '../conditions/use-fields';
import { texts } from '../i18n/texts';
import { targetName } from '../imports/targets';
import { type Exported, exportContacts } from './export';

const t = texts('imports');

/** The columns of an export before the custom fields, in the export's order. */
const COLUMNS = [
  'id',
  'external_id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'locale',
  'time_zone',
  'avatar_url',
  'status',
  'subscribed',
  'tags',
  'last_message_at',
  'created_at',
  'updated_at',
];

interface Props {
  /** The filters of the list. */
  of: Exported;
  opened: boolean;
  onClose: () => void;
}

export function ExportDialog({ of, opened, onClose }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('exportContacts')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Form of={of} onClose={onClose} />
    </Modal>
  );
}

function Form({ of, onClose }: Omit<Props, 'opened'>) {
  const { workspace } = useWhere();
  const fields = useCustomFields().data ?? [];
  const [isSome, setIsSome] = useState(false);
  const [chosen, setChosen] = useState<string[]>([]);
  const all = [...COLUMNS, ...fields.map(({ key }) => `custom_fields.${key}`)];
  const saving = useMutation({
    mutationFn: () =>
      exportContacts(workspace.id, of, isSome ? all.filter((it) => chosen.includes(it)) : undefined),
    onSuccess: onClose,
  });
  const isEmpty = isSome && chosen.length === 0;
  const nameOf = (column: string) => t.find('exportNames', column) ?? targetName(column, fields);
  return (
    <SubmitForm onSubmit={() => saving.mutate()}>
      <Stack gap="md">
        <Text>{t('exportHint')}</Text>
        <Radio.Group
          label={t('exportColumns')}
          value={isSome ? 'some' : 'all'}
          onChange={(it) => setIsSome(it === 'some')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="all" label={t('exportAll')} />
            <Radio value="some" label={t('exportSome')} />
          </Stack>
        </Radio.Group>
        {isSome && (
          <Checkbox.Group
            aria-label={t('exportSome')}
            value={chosen}
            onChange={setChosen}
            error={isEmpty && t('exportNone')}
          >
            <Stack gap="xs" mb="xs">
              {all.map((it) => (
                <Checkbox key={it} value={it} label={nameOf(it)} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {saving.error && <Failure error={saving.error} />}
        <FormButtons onCancel={onClose} loading={saving.isPending} disabled={isEmpty}>
          {t('exportStart')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}
