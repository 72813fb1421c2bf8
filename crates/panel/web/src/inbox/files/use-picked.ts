import { useEffect, useState } from 'react';
import { texts } from '../../i18n/texts';
import { inBytes } from '../../storage/bytes';
import { drafts } from '../drafts';
import { uploads } from './uploads';

const t = texts('inbox');

/** Maximum number of files of a message. */
export const MAX_FILES = 10;
/** Maximum size of a file in bytes: the default of `media.max_bytes`. The server may accept less. */
export const MAX_BYTES = 25 * 1024 * 1024;

/** Adds files to the draft of a conversation. Returns the reasons why files were not added. */
export function usePicked(ws: string, conversation: string, isNote: boolean) {
  const [refused, setRefused] = useState<string[]>([]);
  const add = (files: File[]) => {
    if (files.length === 0) return;
    const { chosen, reasons } = choose(files, drafts.of(conversation).files.length, isNote);
    setRefused(reasons);
    if (chosen.length > 0) uploads.add(ws, conversation, chosen);
  };
  return { refused, add, clear: () => setRefused([]) };
}

/** Returns the files that a message with `count` files can also have, and the reasons for the others. */
export function choose(files: File[], count: number, isNote: boolean): { chosen: File[]; reasons: string[] } {
  if (isNote) return { chosen: [], reasons: [t('files.notInNotes')] };
  const reasons: string[] = [];
  const fitting = files.filter(({ name, size }) => {
    if (size > MAX_BYTES) {
      reasons.push(t('files.tooLarge', { name, size: inBytes(size), most: inBytes(MAX_BYTES) }));
    } else if (size === 0) {
      reasons.push(t('files.empty', { name }));
    }
    return size > 0 && size <= MAX_BYTES;
  });
  const chosen = fitting.slice(0, Math.max(0, MAX_FILES - count));
  if (chosen.length < fitting.length) reasons.push(t('files.tooMany', { count: MAX_FILES }));
  return { chosen, reasons };
}

/** The files of a paste. A copied text can also contain a picture of itself, which is left out. */
export function pastedFiles(data: DataTransfer): File[] {
  return [...data.types].includes('text/plain') ? [] : [...data.files];
}

/**
 * Receives files that are dropped anywhere on the page. Without `add`, they are ignored; the browser never opens a file
 * instead of the panel.
 * Returns whether files are being dragged over the page.
 */
export function useDrop(add: ((files: File[]) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!event.dataTransfer || ![...event.dataTransfer.types].includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer || ![...event.dataTransfer.types].includes('Files')) return;
      event.preventDefault();
      add?.(droppedFiles(event.dataTransfer));
    };
    window.addEventListener('dragover', drag);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', drag);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [add]);
  return isOver;
}

/** The dropped files, without folders. */
function droppedFiles({ files, items }: DataTransfer): File[] {
  return [...files].filter((_, at) => !items?.[at]?.webkitGetAsEntry?.()?.isDirectory);
}
