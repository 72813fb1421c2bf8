import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { en } from '../i18n/en';
import { contacts as words } from '../i18n/en/contacts';
import { many, type Progress, tried } from './bulk';
import { type Action, deletion, tagging, untagging } from './bulk-actions';
import classes from './bulk-bar.module.css';
import { TagMenu } from './tag-menu';
import type { Selection } from './use-selection';

/** What is done to all that are chosen, and how it is going. */
export function BulkBar({ selection }: { selection: Selection }) {
  const { workspace, administers } = useWhere();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const [running, setRunning] = useState(false);
  const stop = useRef<AbortController>(undefined);
  const { ids } = selection;

  const start = async (action: Action) => {
    setAsking(false);
    const controller = new AbortController();
    stop.current = controller;
    setRunning(true);
    setProgress({ total: ids.length, done: 0, failed: [] });
    const end = await many({ ...action, ids, signal: controller.signal, onProgress: setProgress });
    setProgress(end);
    setRunning(false);
    void client.invalidateQueries({ queryKey: ['tags', workspace.id] });
  };
  const close = () => {
    setProgress(undefined);
    selection.clear();
  };
  if (ids.length === 0 && !progress) return null;
  return (
    <section className={classes.bar} aria-label={words.bulk}>
      {progress ? (
        <Going progress={progress} running={running} onStop={() => stop.current?.abort()} onClose={close} />
      ) : (
        <>
          <span className="figures" role="status">
            {words.chosen(ids.length)}
          </span>
          <TagMenu
            label={words.addTag}
            mayMake
            onChoose={(tag) => void start(tagging(client, workspace.id, tag))}
          />
          {administers && (
            <TagMenu
              label={words.removeTag}
              onChoose={(tag) => 'tag_id' in tag && void start(untagging(client, workspace.id, tag.tag_id))}
            />
          )}
          {administers && (
            <Button variant="outline" color="var(--bad)" onClick={() => setAsking(true)}>
              {words.delete}
            </Button>
          )}
          <Button variant="subtle" onClick={selection.clear}>
            {words.clear}
          </Button>
        </>
      )}
      <Confirm
        title={words.deleteTitle(ids.length)}
        verb={words.deleteVerb}
        opened={asking}
        pending={false}
        error={undefined}
        onClose={() => setAsking(false)}
        onConfirm={() => void start(deletion(client, workspace.id))}
      >
        {words.deleteHint}
      </Confirm>
    </section>
  );
}

interface GoingProps {
  progress: Progress;
  running: boolean;
  onStop: () => void;
  onClose: () => void;
}

function Going({ progress, running, onStop, onClose }: GoingProps) {
  const at = tried(progress);
  return (
    <>
      {running && (
        <progress className={classes.progress} value={at} max={progress.total} aria-label={words.progress} />
      )}
      <div role="status" className="figures">
        {running
          ? words.doing(at, progress.total)
          : at < progress.total
            ? words.stopped(progress.done, progress.total)
            : words.done(progress.done)}
        {progress.failed.map((it) => (
          <div key={it.message} className={classes.failed}>
            {words.failed(it.count, it.message)}
          </div>
        ))}
      </div>
      <Button variant="default" onClick={running ? onStop : onClose}>
        {running ? words.stop : en.common.close}
      </Button>
    </>
  );
}
