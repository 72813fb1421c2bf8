import { useState } from 'react';
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
