import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { faultsByField, Problem } from '../api/problem';
import { Failure } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import type { Catalog, Row } from './catalog';

const t = texts('catalog');

interface Props<It extends Row, Draft extends object> {
  of: Catalog<It, Draft>;
  onDone: () => void;
}

export function CreateForm<It extends Row, Draft extends object>({ of, onDone }: Props<It, Draft>) {
  const [draft, setDraft] = useState(of.fresh);
  const making = useMutation({ mutationFn: () => of.create(draft), onSuccess: of.refresh });
  const faults = faultsOf(making.error);
  const { Fields } = of;
  return (
    <SubmitForm noValidate onSubmit={() => making.mutate(undefined, { onSuccess: onDone })}>
      <Stack gap="md">
        <Fields
          draft={draft}
          set={(next) => setDraft({ ...draft, ...next })}
          faults={faults}
          row={undefined}
          readOnly={false}
        />
        {making.error && Object.keys(faults).length === 0 && <Failure error={making.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            loading={making.isPending}
            disabled={!(draft as { name?: string }).name?.trim()}
          >
            {of.words('create')}
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  );
}

/** The message for each invalid field. A name or key that is already taken is reported at its field. */
export function faultsOf(error: unknown): Record<string, string> {
  if (error instanceof Problem && error.code === 'name_taken') return { name: t('nameTaken') };
  if (error instanceof Problem && error.code === 'key_taken') return { key: t('keyTaken') };
  return faultsByField(error);
}
