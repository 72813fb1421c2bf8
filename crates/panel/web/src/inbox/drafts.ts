import { useSyncExternalStore } from 'react';
import type { components } from '../api/schema';

export type WriteMessage = components['schemas']['WriteMessage'];

export interface Draft {
  as: 'reply' | 'note';
  text: string;
  quickReplies: string[];
}

/**
 * A draft with the idempotency key of the last attempt to send it. Retrying the same message does not send it
 * twice.
 */
interface Kept {
  draft: Draft;
  attempt?: { key: string; body: string };
}

export const EMPTY: Draft = { as: 'reply', text: '', quickReplies: [] };

export function messageOf(draft: Draft): WriteMessage {
  if (draft.as === 'note') return { type: 'note', text: draft.text.trim() };
  const titles = draft.quickReplies.map((it) => it.trim()).filter(Boolean);
  return {
    type: 'text',
    text: draft.text.trim(),
    ...(titles.length > 0 && { quick_replies: titles.map((title) => ({ title })) }),
  };
}

/** The drafts of all conversations, stored for the tab. Neither a failure nor a reload loses text. */
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

  /** The idempotency key for a message. It is the key of the last attempt if the message is the same. */
  keyFor(conversation: string, message: WriteMessage): string {
    const known = this.find(conversation) ?? { draft: EMPTY };
    const body = JSON.stringify(message);
    if (known.attempt?.body === body) return known.attempt.key;
    const key = crypto.randomUUID();
    this.keep(conversation, { ...known, attempt: { key, body } });
    return key;
  }

  /** Clears the draft after it was sent, unless its text changed since. Keeps the mode, reply or note. */
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

export const drafts = new Drafts(sessionStorage);

export function useDraft(conversation: string): Draft {
  return useSyncExternalStore(drafts.subscribe, () => drafts.of(conversation));
}
