import { TextInput } from '@mantine/core';
import { texts } from '../i18n/texts';
import type { FieldsProps } from './catalog';

const t = texts('catalog');

type Props<Draft> = Pick<FieldsProps<object, Draft>, 'draft' | 'set' | 'faults' | 'readOnly'> & {
  /** The edited row. Absent in the form that creates a row. */
  row: object | undefined;
};

/** The name of a row. It has the focus in the form that creates a row. */
export function NameField(props: Props<{ name: string }> & { description?: string }) {
  const { draft, set, faults, row, readOnly, description } = props;
  return (
    <TextInput
      label={t('name')}
      description={description}
      data-autofocus={!row || undefined}
      maxLength={100}
      autoComplete="off"
      readOnly={readOnly}
      value={draft.name}
      error={faults.name}
      onChange={(event) => set({ name: event.currentTarget.value })}
    />
  );
}

/** The key of a field. It cannot be changed later. */
export function KeyField({ draft, set, faults, row }: Omit<Props<{ key: string }>, 'readOnly'>) {
  return (
    <TextInput
      label={t('key')}
      description={row ? undefined : t('keyHint')}
      autoComplete="off"
      readOnly={row !== undefined}
      value={draft.key}
      error={faults.key}
      onChange={(event) => set({ key: event.currentTarget.value })}
    />
  );
}
