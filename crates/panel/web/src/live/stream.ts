import { Listeners } from '../api/listeners';
import { Blocks, type Told } from './blocks';

/** The time in milliseconds without any data, including keep-alives, after which a connection is closed. */
const SILENCE = 40_000;
/** The delay in milliseconds before a reconnect, unless the stream contains another one. */
const REST = 3_000;
/** The delay in milliseconds after an error that is likely to persist. */
const LONG_REST = 30_000;

type Listener = (told: Told) => void;
/** Opens the stream after the event with this ID. */
export type Open = (last: string | undefined, signal: AbortSignal) => Promise<Response>;

/**
 * The live stream of a workspace, shared by all parts of the panel. It is open while there are listeners and
 * the page is visible. It resumes after the last received event.
 */
export class WorkspaceStream {
  /** Whether the stream is connected and reports all changes. */
  isLive = false;
  private last: string | undefined;
  private readonly listeners = new Set<Listener>();
  private readonly watchers = new Listeners();
  private running: AbortController | undefined;

  constructor(private readonly open: Open) {}

  /**
   * Adds a listener and returns a function that removes it. After the event `ready`, all data must be
   * refreshed.
   */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    if (this.listeners.size === 1) document.addEventListener('visibilitychange', this.look);
    this.look();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) document.removeEventListener('visibilitychange', this.look);
      this.look();
    };
  }

  /** Adds a listener for {@link isLive}. */
  readonly watch = this.watchers.subscribe;

  private readonly look = (): void => {
    const isWanted = this.listeners.size > 0 && !document.hidden;
    if (isWanted === (this.running !== undefined)) return;
    this.running?.abort();
    this.running = undefined;
    this.become(false);
    if (!isWanted) return;
    this.running = new AbortController();
    void this.run(this.running.signal);
  };

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const rest = await this.once(signal).catch(() => REST);
      if (signal.aborted) return;
      this.become(false);
      await pause(rest, signal);
    }
  }

  /** Reads the stream to its end. Returns the delay before a reconnect. */
  private async once(signal: AbortSignal): Promise<number> {
    const dead = new AbortController();
    const stop = () => dead.abort();
    signal.addEventListener('abort', stop);
    let silence = setTimeout(stop, SILENCE);
    try {
      const answer = await this.open(this.last, dead.signal);
      if (answer.status === 410) {
        // The missed events are not available any more, so start from the present.
        this.last = undefined;
        return 0;
      }
      if (!answer.ok || !answer.body) {
        const wait = Number(answer.headers.get('Retry-After')) * 1_000;
        return wait || (answer.status < 500 ? LONG_REST : REST);
      }
      const blocks = new Blocks();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return blocks.retry ?? REST;
        clearTimeout(silence);
        silence = setTimeout(stop, SILENCE);
        for (const told of blocks.take(value)) this.tell(told);
      }
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
    }
  }

  private tell(told: Told): void {
    this.last = told.id ?? this.last;
    if (told.event === 'end' && (told.data as { reason?: string }).reason === 'reset') this.last = undefined;
    if (told.event === 'ready') this.become(true);
    for (const listener of this.listeners) listener(told);
  }

  private become(isLive: boolean): void {
    if (this.isLive === isLive) return;
    this.isLive = isLive;
    this.watchers.notify();
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((over) => {
    const timer = setTimeout(over, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      over();
    });
  });
}
