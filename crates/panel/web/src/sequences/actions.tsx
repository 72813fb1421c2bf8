import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPlayerPause, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { Dependents, dependentsOf } from '../components/dependents';
import { PageMenuItems } from '../components/page-menu';
import { texts } from '../i18n/texts';
import { type Sequence, type UpdateSequence, useDeleteSequence, type useSaveSequence } from './api';

const t = texts('sequences');
const forms = texts('forms');

interface Props {
  sequence: Sequence;
  save: ReturnType<typeof useSaveSequence>;
  change: (body: UpdateSequence) => void;
}

/** The buttons to activate, pause, resume and delete a sequence. */
export function Actions({ sequence, save, change }: Props) {
  const { workspace, administers } = useWhere();
  const navigate = useNavigate();
  const [asking, ask] = useState<'pause' | 'delete'>();
  const remove = useDeleteSequence(workspace.id, sequence.id);
  const dependents = dependentsOf(remove.error);
  const { status } = sequence;
  const begins = status === 'draft' || status === 'paused';
  const leave = () => {
    ask(undefined);
    remove.reset();
  };
  return (
    <>
      {begins && (
        <Button
          loading={save.isPending && save.variables.body.status !== undefined}
          disabled={sequence.steps.length === 0}
          title={sequence.steps.length === 0 ? t('noSteps') : undefined}
          onClick={() => change({ status: 'active' })}
        >
          {status === 'draft' ? t('activate') : t('resume')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {status === 'active' && (
            <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => ask('pause')}>
              {t('pause')}
            </Menu.Item>
          )}
          {administers && (
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => ask('delete')}>
              {t('delete')}
            </Menu.Item>
          )}
          <PageMenuItems />
        </Menu.Dropdown>
      </Menu>
      <Confirm
        title={t('pauseTitle', { name: sequence.name })}
        verb={t('pauseVerb')}
        opened={asking === 'pause'}
        pending={false}
        error={null}
        onClose={leave}
        onConfirm={() => {
          leave();
          change({ status: 'paused' });
        }}
      >
        {t('pauseHint')}
      </Confirm>
      <Confirm
        title={t('deleteTitle', { name: sequence.name })}
        verb={dependents ? forms('deleteAnyway') : t('removeVerb')}
        opened={asking === 'delete'}
        pending={remove.isPending}
        error={dependents ? null : remove.error}
        onClose={leave}
        onConfirm={() =>
          remove.mutate(dependents !== undefined, {
            onSuccess: () => void navigate({ to: '/sequences', search: { ws: workspace.id } }),
          })
        }
      >
        {t('removeHint')}
        {dependents && <Dependents intro={forms('inUse')} all={dependents} />}
      </Confirm>
    </>
  );
}
