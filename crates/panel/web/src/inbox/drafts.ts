import { useSyncExternalStore } from 'react';
import { Listeners } from '../api/listeners';
import type { components } from '../api/schema';
import type { Attached } from '../attachments/attached';
import { typeOf } from '../attachments/message-type';
import type { Chosen } from '../provider-templates/api';

type AnyMessage = components['schemas']['WriteMessage'];

/** A message with files: uploaded ones, and those with a URL in a saved reply. */
export type WriteMessage = Omit<AnyMessage, 'attachments'> & { attachments?: FileRef[] };

type FileRef = { media_id: string } | { url: string };

/** A file of a draft. */
export interface DraftFile {
  /** The idempotency key of its upload. */
  key: string;
  name: string;
  /** The size in bytes. Files of saved replies have none. */
  size?: number;
  /** The stored file. Absent until the upload has succeeded. */
  uploaded?: FileRef & { mime_type: string };
}

export interface Draft {
  as: 'reply' | 'note';
  text: string;
  quickReplies: string[];
  files: DraftFile[];
  /** The template that is sent instead after the reply window. */
  fallback?: Chosen;
  /** The message that the reply answers, with its text at the time of its selection. A note answers none. */
  replyTo?: { id: string; text: string };
}

/**
 * A draft with the idempotency key of the last attempt to send it. Retrying the same message does not send it
 * twice.
 */
interface Kept {
  draft: Draft;
  attempt?: { key: string; body: string };
}

export const EMPTY: Draft = { as: 'reply', text: '', quickReplies: [], files: [] };

/** The message of a draft, with the files that are uploaded. A note has no files. */
export function messageOf(draft: Draft): WriteMessage {
  const text = draft.text.trim();
  if (draft.as === 'note') return { type: 'note', text };
  const titles = draft.quickReplies.map((it) => it.trim()).filter(Boolean);
  const files = draft.files.flatMap((it) => it.uploaded ?? []);
  return {
    type: typeOf(files.map((it) => it.mime_type)),
    ...((text || files.length === 0) && { text }),
    ...(files.length > 0 && { attachments: files.map(refOf) }),
    ...(titles.length > 0 && { quick_replies: titles.map((title) => ({ title })) }),
    ...(draft.fallback?.name && { fallback: { template: draft.fallback } }),
    ...(draft.replyTo && { reply_to: draft.replyTo.id }),
  };
}

const refOf = (it: FileRef): FileRef => ('media_id' in it ? { media_id: it.media_id } : { url: it.url });
const nameOfFile = (it: FileRef): string => ('media_id' in it ? it.media_id : it.url);

/** The files of a saved reply, for a draft. */
export function filesOfReply(attachments: Attached[]): DraftFile[] {
  return attachments.map(({ media_id, url, name, mime_type }) => ({
    key: crypto.randomUUID(),
    name: name ?? url ?? '',
    uploaded: { ...(media_id ? { media_id } : { url: url ?? '' }), mime_type: mime_type ?? '' },
  }));
}

/** The drafts of all conversations, stored for the tab. Neither a failure nor a reload loses text. */
export class Drafts extends Listeners {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
    super();
  }

  of(conversation: string): Draft {
    return this.find(conversation)?.draft ?? EMPTY;
  }

  change(conversation: string, next: Partial<Draft>): void {
    const known = this.find(conversation);
    this.keep(conversation, { ...known, draft: { ...(known?.draft ?? EMPTY), ...next } });
  }

  /** The idempotency key for a message. It is the key of the last attempt if the message is the same. */
  keyFor(conversation: string, message: WriteMessage): string {
    const known = this.find(conversation) ?? { draft: EMPTY };
    const body = JSON.stringify(message);
    if (known.attempt?.body === body) return known.attempt.key;
    const key = crypto.randomUUID();
    this.keep(conversation, { ...known, attempt: { key, body } });
    return key;
  }

  /**
   * Clears the draft after it was sent. A text that changed since stays, and so do files that were not sent, and an
   * answered message if the sent one did not answer it. Keeps the mode, reply or note.
   */
  sent(conversation: string, message: WriteMessage): void {
    const { as, replyTo, ...draft } = this.of(conversation);
    const content = JSON.stringify({ ...message, reply_to: undefined });
    const same = JSON.stringify(messageOf({ as, ...draft })) === content;
    const sent = message.attachments?.map(nameOfFile) ?? [];
    const files = draft.files.filter((it) => !it.uploaded || !sent.includes(nameOfFile(it.uploaded)));
    const kept = { as, files, ...(replyTo && replyTo.id !== message.reply_to && { replyTo }) };
    this.keep(conversation, { draft: same ? { ...EMPTY, ...kept } : { ...draft, ...kept } });
  }

  private find(conversation: string): Kept | undefined {
    const known = this.kept.get(conversation);
    if (known) return known;
    const text = this.storage.getItem(nameOf(conversation));
    if (!text) return undefined;
    const stored = JSON.parse(text) as Kept;
    // An earlier version of the panel stored drafts without files.
    const read = { ...stored, draft: { ...EMPTY, ...stored.draft } };
    this.kept.set(conversation, read);
    return read;
  }

  private keep(conversation: string, kept: Kept): void {
    this.kept.set(conversation, kept);
    const { text, quickReplies, replyTo } = kept.draft;
    // The content of a file that is not uploaded is lost with the page.
    const files = kept.draft.files.filter((it) => it.uploaded);
    const stored = { ...kept, draft: { ...kept.draft, files } };
    if (text || quickReplies.length > 0 || files.length > 0 || replyTo)
      this.storage.setItem(nameOf(conversation), JSON.stringify(stored));
    else this.storage.removeItem(nameOf(conversation));
    this.notify();
  }
}

const nameOf = (conversation: string) => `tidings-draft-${conversation}`;

export const drafts = new Drafts(sessionStorage);

export function useDraft(conversation: string): Draft {
  return useSyncExternalStore(drafts.subscribe, () => drafts.of(conversation));
}
