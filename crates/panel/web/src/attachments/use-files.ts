import { type RefObject, useEffect, useRef, useState } from 'react';
import { useWhere } from '../app/here';
import { useUploadGuard } from '../components/unsaved';
import { useFileZone } from '../inbox/files/use-file-zone';
import { choose } from '../inbox/files/use-picked';
import { type Attached, ofFile } from './attached';
import { useAttaching } from './use-attaching';

export type Files = ReturnType<typeof useFiles>;

/** Uploads files and adds them to the attachments of a message. A form that `isReadOnly` ignores files. */
export function useFiles(value: Attached[], onChange: (attachments: Attached[]) => void, isReadOnly = false) {
  const { workspace } = useWhere();
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  const { running, add, retry, remove } = useAttaching(workspace.id, (media) => {
    latest.current = [...latest.current, ofFile(media)];
    onChange(latest.current);
  });
  const [refused, setRefused] = useState<string[]>([]);
  const count = value.length + running.length;
  const attach = (files: File[]) => {
    if (files.length === 0) return;
    const { chosen, reasons } = choose(files, count, false);
    setRefused(reasons);
    add(chosen);
  };
  const { zone, isOver } = useFileZone<HTMLDivElement>(isReadOnly ? undefined : attach);
  const isUploading = running.some((it) => it.error === undefined);
  useUploadGuard(isUploading);
  const isWaiting = useSubmitGuard(zone.ref, isUploading);
  return { running, retry, remove, refused, count, attach, zone, isOver, isWaiting };
}

/**
 * Ignores the submit button of the form around an element during an upload. Otherwise the object is saved without the
 * file. Returns whether a submission was ignored.
 */
function useSubmitGuard(inside: RefObject<HTMLElement | null>, isUploading: boolean): boolean {
  const [isIgnored, setIgnored] = useState(false);
  useEffect(() => {
    const form = inside.current?.closest('form');
    if (!form || !isUploading) return;
    const ignore = (event: SubmitEvent) => {
      event.preventDefault();
      event.stopPropagation();
      setIgnored(true);
    };
    form.addEventListener('submit', ignore, { capture: true });
    return () => {
      form.removeEventListener('submit', ignore, { capture: true });
      setIgnored(false);
    };
  }, [inside, isUploading]);
  return isIgnored;
}
