import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { apiIn } from '../../api/client';
import { keys } from '../../api/keys';
import { useWhere } from '../../app/here';
import { mayWrite } from '../../app/places';
import { told } from '../../components/states';
import { texts } from '../../i18n/texts';
import classes from './forms.module.css';
import { useRevalidate } from './use-revalidate';

const t = texts('flow-forms');

/** Creates a tag, and refreshes the tags and the findings. */
export function useCreateTag() {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const revalidate = useRevalidate();
  return useCallback(
    async (name: string) => {
      const tag = await apiIn(workspace.id).POST('/api/v1/tags', { body: { name } });
      await Promise.all([client.invalidateQueries({ queryKey: keys.tags(workspace.id) }), revalidate()]);
      return tag;
    },
    [client, workspace.id, revalidate],
  );
}

/** A button that creates a missing tag with this name. */
export function CreateTag({ name }: { name: string }) {
  const { role } = useWhere();
  const create = useCreateTag();
  const creating = useMutation({ mutationFn: () => create(name) });
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
