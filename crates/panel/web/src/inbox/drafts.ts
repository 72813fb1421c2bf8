import { useSyncExternalStore } from 'react';
import type { components } from '../api/schema';

export type WriteMessage = components['schemas']['WriteMessage'];

/** What somebody began to write in a conversation. */
export interface Draft {
  as: 'reply' | 'note';
  text: string;
  quickReplies: string[];
}

/** A draft whose sending was tried: the same words under the same key are sent once, however often one tries. */
interface Kept {
  draft: Draft;
  attempt?: { key: string; body: string };
}

export const EMPTY: Draft = { as: 'reply', text: '', quickReplies: [] };

/** The message that a draft is. */
export function messageOf(draft: Draft): WriteMessage {
  if (draft.as === 'note') return { type: 'note', text: draft.text.trim() };
  const titles = draft.quickReplies.map((it) => it.trim()).filter(Boolean);
  return {
    type: 'text',
    text: draft.text.trim(),
    ...(titles.length > 0 && { quick_replies: titles.map((title) => ({ title })) }),
  };
}

/** What was begun in each conversation. It stays while the tab does, so that neither a failure nor a reload loses words. */
export class Drafts {
  private readonly kept = new Map<string, Kept>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  of(conversation: string): Draft {
    return this.find(conversation)?.draft ?? EMPTY;
  }

  change(conversation: string, next: Partial<Draft>): void {
    const known = this.find(conversation);
    this.keep(conversation, { ...known, draft: { ...(known?.draft ?? EMPTY), ...next } });
  }

  /** The key under which a message is sent: the one of the last try, if that had the same body. */
  keyFor(conversation: string, message: WriteMessage): string {
    const known = this.find(conversation) ?? { draft: EMPTY };
    const body = JSON.stringify(message);
    if (known.attempt?.body === body) return known.attempt.key;
    const key = crypto.randomUUID();
    this.keep(conversation, { ...known, attempt: { key, body } });
    return key;
  }

  /** It was sent: the words go, unless others were written meanwhile. Whether one writes notes stays. */
  sent(conversation: string, message: WriteMessage): void {
    const { as, ...draft } = this.of(conversation);
    const same = JSON.stringify(messageOf({ as, ...draft })) === JSON.stringify(message);
    this.keep(conversation, { draft: same ? { ...EMPTY, as } : { as, ...draft } });
  }

  private find(conversation: string): Kept | undefined {
    const known = this.kept.get(conversation);
    if (known) return known;
    const text = this.storage.getItem(nameOf(conversation));
    if (!text) return undefined;
    const read = JSON.parse(text) as Kept;
    this.kept.set(conversation, read);
    return read;
  }

  private keep(conversation: string, kept: Kept): void {
    this.kept.set(conversation, kept);
    const { text, quickReplies } = kept.draft;
    if (text || quickReplies.length > 0) this.storage.setItem(nameOf(conversation), JSON.stringify(kept));
    else this.storage.removeItem(nameOf(conversation));
    for (const listener of this.listeners) listener();
  }
}

const nameOf = (conversation: string) => `tidings-draft-${conversation}`;

/** The drafts of this tab. */
export const drafts = new Drafts(sessionStorage);

export function useDraft(conversation: string): Draft {
  return useSyncExternalStore(drafts.subscribe, () => drafts.of(conversation));
}
