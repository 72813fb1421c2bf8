// The messages of the stream (`GET /api/v1/stream`), read from server-sent events (HTML standard, section 9.2).
import type { FeedEvent } from './models.js';

/**
 * The maximum silence in milliseconds. The server sends a comment every 15 seconds, so a longer silence means a dead
 * connection.
 */
export const LONGEST_SILENCE = 45_000;
/** The delay in milliseconds before a reconnect, if the server did not send `retry`. */
const REOPEN = 3_000;

export type StreamMessage =
  /** An event of the feed. `id` is its position. */
  | { type: 'event'; id: number; event: FeedEvent }
  /** All missed events have arrived. `id` is the last position. */
  | { type: 'ready'; id: number }
  /** A hint that this object changed without an event. Read it again. */
  | { type: 'changed'; changed: { type: string; id: string | null; version: number | null } }
  /** The server ended the stream. The client reconnects. */
  | { type: 'end'; reason: string; detail: string };

/** Parses the bytes of one connection into messages. */
export class StreamParser {
  reopen = REOPEN;
  private readonly decoder = new TextDecoder();
  private text = '';

  constructor(public lastId: number | undefined) {}

  headers(): Record<string, string> {
    return this.lastId === undefined ? {} : { 'Last-Event-ID': String(this.lastId) };
  }

  /** The parser of the next connection. */
  next(): StreamParser {
    const following = new StreamParser(this.lastId);
    following.reopen = this.reopen;
    return following;
  }

  feed(part: Uint8Array): StreamMessage[] {
    this.text = (this.text + this.decoder.decode(part, { stream: true })).replaceAll('\r\n', '\n');
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop() ?? '';
    return blocks.flatMap((block) => this.message(block) ?? []);
  }

  private message(block: string): StreamMessage | undefined {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [name = ''] = line.split(':', 1);
      const value = line.slice(name.length + 1).replace(/^ /, '');
      const before = fields.get(name);
      fields.set(name, before === undefined ? value : `${before}\n${value}`);
    }
    const retry = fields.get('retry');
    if (retry && /^\d+$/.test(retry)) this.reopen = Number(retry);
    const written = fields.get('id');
    const id = written && /^\d+$/.test(written) ? Number(written) : undefined;
    if (id !== undefined) this.lastId = id;
    const name = fields.get('event');
    const data = fields.get('data');
    if (name === undefined || data === undefined) return undefined;
    const read = JSON.parse(data);
    if (name === 'changed') return { type: 'changed', changed: read.changed };
    if (name === 'end') {
      // The positions start again, so the next connection begins at the present.
      if (read.reason === 'reset') this.lastId = undefined;
      return { type: 'end', reason: read.reason, detail: read.detail };
    }
    if (id === undefined) return undefined;
    return name === 'ready' ? { type: 'ready', id } : { type: 'event', id, event: read };
  }
}
