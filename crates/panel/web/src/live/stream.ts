import { Blocks, type Told } from './blocks';

/** Where nothing came for so long, not even a sign of life, the connection is dead. */
const SILENCE = 40_000;
/** Before a stream that broke off is opened again, unless it says otherwise. */
const REST = 3_000;
/** After a refusal that time alone does not mend. */
const LONG_REST = 30_000;

type Listener = (told: Told) => void;
/** Asks for the stream, from behind the event with this id. */
export type Open = (last: string | undefined, signal: AbortSignal) => Promise<Response>;

/**
 * The stream of a workspace, one for all parts of the panel that listen. It is open while somebody does
 * and the page is in sight, and goes on behind the last event that it has.
 */
export class WorkspaceStream {
  /** Whether everything is told that happens. */
  isLive = false;
  private last: string | undefined;
  private readonly listeners = new Set<Listener>();
  private readonly watchers = new Set<() => void>();
  private running: AbortController | undefined;

  constructor(private readonly open: Open) {}

  /** Hears of what happens, from now on. `ready` says that what is shown has to be read anew. */
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

  /** Hears when it begins or ceases to be live. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

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

  /** Reads the stream to its end; how long to wait before it is opened again. */
  private async once(signal: AbortSignal): Promise<number> {
    const dead = new AbortController();
    const stop = () => dead.abort();
    signal.addEventListener('abort', stop);
    let silence = setTimeout(stop, SILENCE);
    try {
      const answer = await this.open(this.last, dead.signal);
      if (answer.status === 410) {
        // What happened meanwhile is not to be had: begin at the present.
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
    for (const watcher of this.watchers) watcher();
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
