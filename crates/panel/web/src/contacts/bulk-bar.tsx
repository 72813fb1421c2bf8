import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useRef, useState } from 'react';
import { keys } from '../api/keys';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { shortened } from '../components/id';
import { texts } from '../i18n/texts';
import type { Contact } from './api';
import { many, type Progress, tried } from './bulk';
import { type Action, deletion } from './bulk-actions';
import classes from './bulk-bar.module.css';
import { MOST_NAMED, tagging } from './bulk-tags';
import { nameOf } from './state';
import { TagMenu } from './tag-menu';
import type { Everything } from './use-everything';

const t = texts('contacts');

interface Props {
  everything: Everything;
  /** The rows of the list. Contacts that could not be changed are shown by name. */
  rows: Contact[];
  /** Opens other actions for the selected contacts or for the list. */
  onMore: (of: 'chosen' | 'list') => void;
}

/** The actions on the selected contacts, and their progress. */
export function BulkBar({ everything, rows, onMore }: Props) {
  const { workspace, administers } = useWhere();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const [running, setRunning] = useState(false);
  const stop = useRef<AbortController>(undefined);
  // Deleted contacts are removed from the list, so their names are stored before.
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const { selection } = everything;
  const { ids } = selection;

  const start = async (action: Action) => {
    setAsking(false);
    setNames(new Map(rows.map((it) => [it.id, nameOf(it)])));
    const controller = new AbortController();
    stop.current = controller;
    setRunning(true);
    setProgress({ total: ids.length, done: 0, failed: [] });
    const end = await many({ ...action, ids, signal: controller.signal, onProgress: setProgress });
    setProgress(end);
    setRunning(false);
    void client.invalidateQueries({ queryKey: keys.tags(workspace.id) });
  };
  const close = () => {
    setProgress(undefined);
    selection.clear();
  };
  if (ids.length === 0 && !progress) return null;
  return (
    <section className={classes.bar} aria-label={t('chosenActions')}>
      {progress ? (
        <Going
          progress={progress}
          running={running}
          names={names}
          onStop={() => stop.current?.abort()}
          onClose={close}
        />
      ) : everything.chosen ? (
        <>
          <span className="figures" role="status">
            {everything.count === undefined
              ? t('everythingChosenUncounted')
              : t('everythingChosen', { count: everything.count })}
          </span>
          <Button variant="default" onClick={() => onMore('list')}>
            {t('chooseAction')}
          </Button>
          <Button variant="subtle" onClick={selection.clear}>
            {t('clear')}
          </Button>
        </>
      ) : (
        <>
          <span className="figures" role="status">
            {t('chosen', { count: ids.length })}
          </span>
          {everything.offered && (
            <Button variant="subtle" onClick={everything.choose}>
              {everything.count === undefined
                ? t('chooseEverythingUncounted')
                : t('chooseEverything', { count: everything.count })}
            </Button>
          )}
          <TagMenu
            label={t('addTag')}
            mayMake
            onChoose={(tag) => void start(tagging(client, workspace.id, 'tag', tag))}
          />
          {administers && (
            <TagMenu
              label={t('removeTag')}
              onChoose={(tag) => void start(tagging(client, workspace.id, 'untag', tag))}
            />
          )}
          {ids.length <= MOST_NAMED && (
            <Button variant="default" onClick={() => onMore('chosen')}>
              {t('more')}
            </Button>
          )}
          {administers && (
            <Button variant="outline" color="var(--bad)" onClick={() => setAsking(true)}>
              {t('delete')}
            </Button>
          )}
          <Button variant="subtle" onClick={selection.clear}>
            {t('clear')}
          </Button>
        </>
      )}
      <Confirm
        title={t('deleteTitle', { count: ids.length })}
        verb={t('deleteVerb')}
        opened={asking}
        pending={false}
        error={undefined}
        onClose={() => setAsking(false)}
        onConfirm={() => void start(deletion(client, workspace.id))}
      >
        {t('deleteHint')}
      </Confirm>
    </section>
  );
}

interface GoingProps {
  progress: Progress;
  running: boolean;
  names: ReadonlyMap<string, string>;
  onStop: () => void;
  onClose: () => void;
}

function Going({ progress, running, names, onStop, onClose }: GoingProps) {
  const at = tried(progress);
  return (
    <>
      {running && (
        <progress className={classes.progress} value={at} max={progress.total} aria-label={t('progress')} />
      )}
      <div role="status" className="figures">
        {running
          ? t('doing', { done: at, total: progress.total })
          : at < progress.total
            ? t('stopped', { done: progress.done, count: progress.total })
            : t('done', { count: progress.done })}
        {progress.failed.map((it) => (
          <div key={it.message}>
            <span className={classes.failed}>
              {t('failed', { count: it.ids.length, reason: it.message })}
            </span>{' '}
            <Who ids={it.ids} names={names} />
          </div>
        ))}
      </div>
      <Button variant="default" onClick={running ? onStop : onClose}>
        {running ? t('stop') : t('close')}
      </Button>
    </>
  );
}

/** The most failed contacts that are shown by name. The others are counted. */
const NAMED = 10;

/** Links to the contacts that could not be changed. */
function Who({ ids, names }: { ids: string[]; names: ReadonlyMap<string, string> }) {
  return (
    <>
      {ids.slice(0, NAMED).map((id, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Link to="/contacts/$id" params={{ id }}>
            {names.get(id) ?? shortened(id)}
          </Link>
        </Fragment>
      ))}
      {ids.length > NAMED && ` ${t('andMore', { count: ids.length - NAMED })}`}
    </>
  );
}
