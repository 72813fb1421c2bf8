import { Button, Group, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { keys } from '../api/keys';
import { useWhere } from '../app/here';
import { useAccount } from '../app/use-session';
import { told } from '../components/failure';
import { toasts } from '../components/toasts';
import { texts } from '../i18n/texts';
import { refreshLists } from '../live/conversations';
import { type Action, perform } from './actions';
import { keepConversation } from './api';
import { type Failure, runEach } from './bulk';
import classes from './bulk-bar.module.css';
import { TYPING } from './keys';
import { useColleagues } from './names';
import type { Conversation } from './views';

const t = texts('inbox');

interface Props {
  selected: Conversation[];
  /** The number of rows in the list. */
  shown: number;
  nameOf: (it: Conversation) => string;
  selectAll: () => void;
  /** Reduces the selection to these conversations. */
  keep: (some: Conversation[]) => void;
  onEnd: () => void;
}

/** The actions on the selected conversations, with progress and failures. */
export function BulkBar({ selected, shown, nameOf, selectAll, keep, onEnd }: Props) {
  const { run, stop, progress, failed } = useBulk(keep, onEnd);
  useEscape(progress ? undefined : onEnd);
  const isOpen = selected.some((it) => it.status !== 'resolved');
  return (
    <section className={classes.bar} aria-label={t('select.label')}>
      {failed.length > 0 && (
        <div role="alert" className={classes.failed}>
          <b>{t('select.failed', { count: failed.length })}</b>
          <ul>
            {failed.map(({ item, error }) => (
              <li key={item.id}>{t('select.failure', { name: nameOf(item), reason: told(error) })}</li>
            ))}
          </ul>
        </div>
      )}
      <div role="status" className={classes.count}>
        {progress
          ? t('select.progress', { done: progress.done, all: progress.all })
          : t('select.count', { count: selected.length })}
      </div>
      {progress ? (
        <Button size="xs" variant="default" onClick={stop}>
          {t('stop')}
        </Button>
      ) : (
        <Group gap={6}>
          <Button size="xs" disabled={!isOpen} onClick={() => void run(selected, { do: 'resolve' })}>
            {t('resolve')}
          </Button>
          <AssignAll
            disabled={selected.length === 0}
            assign={(to) => void run(selected, { do: 'assign', to })}
          />
          <Button size="xs" variant="subtle" disabled={selected.length >= shown} onClick={selectAll}>
            {t('select.all')}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={onEnd}>
            {t('cancel')}
          </Button>
        </Group>
      )}
    </section>
  );
}

function AssignAll({ disabled, assign }: { disabled: boolean; assign: (to: string | null) => void }) {
  const { user } = useAccount();
  const { others } = useColleagues();
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button size="xs" variant="default" disabled={disabled}>
          {t('select.assign')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="50dvh" style={{ overflowY: 'auto' }}>
        <Menu.Item onClick={() => assign(user.id)}>{t('me', { name: user.name ?? user.email })}</Menu.Item>
        {others.map((it) => (
          <Menu.Item key={it.id} onClick={() => assign(it.id)}>
            {it.name}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => assign(null)}>{t('unassigned')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Escape ends the selection, except in a menu, a dialog or a field. */
function useEscape(end: (() => void) | undefined) {
  const latest = useRef(end);
  latest.current = end;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if ((event.target as Element | null)?.closest?.(TYPING)) return;
      latest.current?.();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Runs an action on conversations. Those that failed or were not started stay selected. */
function useBulk(keep: Props['keep'], onEnd: () => void) {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [failed, setFailed] = useState<Failure<Conversation>[]>([]);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (selected: Conversation[], action: Action) => {
    const items = action.do === 'resolve' ? selected.filter((it) => it.status !== 'resolved') : selected;
    const controller = new AbortController();
    running.current = controller;
    setFailed([]);
    setProgress({ done: 0, all: items.length });
    const act = async ({ id }: Conversation) =>
      keepConversation(client, workspace.id, await perform(workspace.id, id, action));
    const onProgress = (done: number) => setProgress({ done, all: items.length });
    const outcome = await runEach(items, act, { onProgress, signal: controller.signal });
    setProgress(undefined);
    refreshLists(client, workspace.id);
    void client.invalidateQueries({ queryKey: keys.timelines(workspace.id) });
    const count = outcome.done.length;
    if (count > 0)
      toasts.show({ text: t(action.do === 'resolve' ? 'select.resolved' : 'select.assigned', { count }) });
    setFailed(outcome.failed);
    const rest = [...outcome.failed.map(({ item }) => item), ...outcome.left];
    if (rest.length === 0) onEnd();
    else keep(rest);
  };
  return { run, stop: () => running.current?.abort(), progress, failed };
}
