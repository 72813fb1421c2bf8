import { useSyncExternalStore } from 'react';
import { Listeners } from '../../api/listeners';
import { type DraftFile, drafts } from '../drafts';
import { uploadFile } from './upload';

/** An upload that has not succeeded. */
export interface Running {
  file: File;
  /** The share of sent bytes, from 0 to 1. */
  share: number;
  /** Why it failed. */
  error?: unknown;
  cancel: AbortController;
}

/** Lets the browser ask before it leaves the page. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** The uploads of this tab by the key of the file in its draft. Those of a conversation run one after another. */
class Uploads extends Listeners {
  private running: ReadonlyMap<string, Running> = new Map();
  /** The end of the last upload by conversation. */
  private readonly ends = new Map<string, Promise<void>>();

  readonly snapshot = () => this.running;

  /** Adds files to the draft of a conversation, and uploads them. */
  add(ws: string, conversation: string, files: File[]): void {
    const added = files.map((file): [DraftFile, File] => [
      { key: crypto.randomUUID(), name: file.name, size: file.size },
      file,
    ]);
    drafts.change(conversation, {
      files: [...drafts.of(conversation).files, ...added.map(([it]) => it)],
    });
    for (const [{ key }, file] of added) this.start(ws, conversation, key, file);
  }

  /** Uploads a file again after a failure, under the same key. */
  retry(ws: string, conversation: string, key: string): void {
    const failed = this.running.get(key);
    if (failed?.error) this.start(ws, conversation, key, failed.file);
  }

  /** Removes a file from the draft, and cancels its upload. */
  remove(conversation: string, key: string): void {
    this.running.get(key)?.cancel.abort();
    this.put(key, undefined);
    drafts.change(conversation, { files: drafts.of(conversation).files.filter((it) => it.key !== key) });
  }

  private start(ws: string, conversation: string, key: string, file: File): void {
    this.put(key, { file, share: 0, cancel: new AbortController() });
    const before = this.ends.get(conversation) ?? Promise.resolve();
    this.ends.set(
      conversation,
      before.then(() => this.run(ws, conversation, key)),
    );
  }

  private async run(ws: string, conversation: string, key: string): Promise<void> {
    const upload = this.running.get(key);
    if (!upload) return;
    const onProgress = (share: number) => this.change(key, { share });
    try {
      const media = await uploadFile(ws, upload.file, { key, onProgress, signal: upload.cancel.signal });
      const uploaded = { media_id: media.id, mime_type: media.mime_type };
      drafts.change(conversation, {
        files: drafts.of(conversation).files.map((it) => (it.key === key ? { ...it, uploaded } : it)),
      });
      this.put(key, undefined);
    } catch (error) {
      this.change(key, { error });
    }
  }

  /** Changes an upload, unless it was removed. */
  private change(key: string, next: Partial<Running>): void {
    const known = this.running.get(key);
    if (known) this.put(key, { ...known, ...next });
  }

  private put(key: string, upload: Running | undefined): void {
    const next = new Map(this.running);
    if (upload) next.set(key, upload);
    else next.delete(key);
    this.running = next;
    const isUploading = [...next.values()].some((it) => it.error === undefined);
    // A closed tab or a reload would cancel the uploads.
    if (isUploading) window.addEventListener('beforeunload', ask);
    else window.removeEventListener('beforeunload', ask);
    this.notify();
  }
}

export const uploads = new Uploads();

export function useUploads(): ReadonlyMap<string, Running> {
  return useSyncExternalStore(uploads.subscribe, uploads.snapshot);
}
