import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { PageMenuItems } from '../components/page-menu';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { type Flow, useCreateFlow, useHold } from './api';
import { DeleteFlow } from './delete';
import { inFlight } from './state';

const t = texts('flows');

export function FlowMenu({ flow }: { flow: Flow }) {
  const { workspace, administers } = useWhere();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'pause' | 'delete'>();
  const hold = useHold(workspace.id, flow.id);
  const leave = () => {
    setAsking(undefined);
    hold.reset();
  };
  const create = useCreateFlow(workspace.id);
  const held = flow.status === 'paused';
  const search = { ws: workspace.id };
  const duplicate = () =>
    create.mutate(
      { name: copyOf(flow.name), definition: flow.definition },
      { onSuccess: ({ id }) => void navigate({ to: '/flows/$id', params: { id }, search }) },
    );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('more')}
            loading={hold.isPending || create.isPending}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {flow.status === 'active' && (
            <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => setAsking('pause')}>
              {t('pause')}
            </Menu.Item>
          )}
          {held && (
            <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => hold.mutate('resume')}>
              {t('resume')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={duplicate}>
            {t('duplicate')}
          </Menu.Item>
          {administers && (
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => setAsking('delete')}>
              {t('remove')}
            </Menu.Item>
          )}
          <PageMenuItems />
        </Menu.Dropdown>
      </Menu>
      {create.error && <Failure error={create.error} />}
      <Confirm
        title={t('pauseTitle', { name: flow.name })}
        verb={t('pauseVerb')}
        opened={asking === 'pause'}
        pending={hold.isPending}
        error={hold.error}
        onClose={leave}
        onConfirm={() => hold.mutate('pause', { onSuccess: leave })}
      >
        {t('pauseHint', { count: inFlight(flow.stats) })}
      </Confirm>
      {administers && (
        <DeleteFlow
          flow={flow}
          opened={asking === 'delete'}
          onClose={leave}
          onGone={() => void navigate({ to: '/flows', search })}
        />
      )}
    </>
  );
}

/** The name of a copy, shortened to the maximum length. */
export function copyOf(name: string): string {
  const added = t('copyOf', { name: '' }).length;
  return t('copyOf', { name: [...name].slice(0, 100 - added).join('') });
}
