import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../../api/client';
import { keys } from '../../api/keys';
import { useWhere } from '../../app/here';
import { mayWrite } from '../../app/places';
import { told } from '../../components/states';
import { texts } from '../../i18n/texts';
import classes from './forms.module.css';
import { useRevalidate } from './use-revalidate';

const t = texts('flow-forms');

/** A button that creates a missing tag with this name. */
export function CreateTag({ name }: { name: string }) {
  const { workspace, role } = useWhere();
  const client = useQueryClient();
  const revalidate = useRevalidate();
  const creating = useMutation({
    mutationFn: () => apiIn(workspace.id).POST('/api/v1/tags', { body: { name } }),
    onSuccess: () =>
      Promise.all([client.invalidateQueries({ queryKey: keys.tags(workspace.id) }), revalidate()]),
  });
  if (!mayWrite(role)) return null;
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.create}
        leftSection={<IconPlus size={14} />}
        loading={creating.isPending}
        onClick={() => creating.mutate()}
      >
        {t('createTag', { name })}
      </Button>
      {creating.error && (
        <p role="alert" className={classes.failed}>
          {told(creating.error)}
        </p>
      )}
    </>
  );
}
