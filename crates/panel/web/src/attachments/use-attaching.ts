import { useEffect, useRef, useState } from 'react';
import { toasts } from '../components/toasts';
import { texts } from '../i18n/texts';
import { type Media, uploadFile } from '../inbox/files/upload';
import type { Running } from '../inbox/files/uploads';

const t = texts('inbox');

/** An upload of a form that has not succeeded. */
export interface Attaching extends Running {
  /** Its idempotency key. */
  key: string;
}

/**
 * Uploads files one after another, and reports each stored file. Closing the form cancels the uploads, and a toast
 * names their number.
 */
export function useAttaching(ws: string, onStored: (media: Media) => void) {
  const [running, setRunning] = useState<Attaching[]>([]);
  const end = useRef(Promise.resolve());
  const report = useRef(onStored);
  const open = useRef(new Set<AbortController>());
  useEffect(() => {
    report.current = onStored;
  });
  useEffect(() => {
    const all = open.current;
    return () => {
      if (all.size > 0) toasts.show({ text: t('files.cancelled', { count: all.size }) });
      for (const it of all) it.abort();
    };
  }, []);

  const change = (key: string, next: Partial<Attaching>) =>
    setRunning((all) => all.map((it) => (it.key === key ? { ...it, ...next } : it)));
  const drop = (key: string) => setRunning((all) => all.filter((it) => it.key !== key));
  const run = async ({ key, file, cancel }: Attaching) => {
    if (cancel.signal.aborted) return;
    const onProgress = (share: number) => change(key, { share });
    try {
      const media = await uploadFile(ws, file, { key, onProgress, signal: cancel.signal });
      drop(key);
      report.current(media);
    } catch (error) {
      if (!cancel.signal.aborted) change(key, { error });
    } finally {
      open.current.delete(cancel);
    }
  };
  const start = (it: Attaching) => {
    open.current.add(it.cancel);
    end.current = end.current.then(() => run(it));
  };
  return {
    running,
    add: (files: File[]) => {
      const added = files.map((file) => begun(crypto.randomUUID(), file));
      setRunning((all) => [...all, ...added]);
      for (const it of added) start(it);
    },
    /** Uploads a file again after a failure, under the same key. */
    retry: (key: string) => {
      const failed = running.find((it) => it.key === key && it.error !== undefined);
      if (!failed) return;
      const again = begun(key, failed.file);
      setRunning((all) => all.map((it) => (it.key === key ? again : it)));
      start(again);
    },
    /** Cancels an upload. */
    remove: (key: string) => {
      const removed = running.find((it) => it.key === key);
      if (removed) {
        removed.cancel.abort();
        open.current.delete(removed.cancel);
      }
      drop(key);
    },
  };
}

const begun = (key: string, file: File): Attaching => ({
  key,
  file,
  share: 0,
  cancel: new AbortController(),
});
