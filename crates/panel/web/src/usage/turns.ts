import { pause } from '../api/queries';

/** The minimum delay after a failure, in milliseconds. */
const RETRY = 2_000;
/** The delay in milliseconds if `ask` could not run because the list was being refreshed. */
const SOON = 500;

interface Asking {
  /** Requests new data. Resolves to whether it could. */
  ask: () => Promise<boolean>;
  /** Returns the polling interval in milliseconds. */
  rest: () => number;
  /** Called with whether the last request failed. */
  failing: (is: boolean) => void;
}

/** Requests growing data, one request at a time: after events, and by polling. */
export class Turns {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running = false;
  private isMore = false;
  private failures = 0;
  private isOver = false;

  constructor(private readonly asking: Asking) {}

  /**
   * Reports new data. Requests it at once, or again after the current request. After a failure, the delay
   * stays.
   */
  readonly more = (): void => {
    this.isMore = true;
    if (this.failures === 0) this.look();
  };

  /** Requests at once, unless a request is running or the page is hidden. */
  readonly look = (): void => {
    clearTimeout(this.timer);
    if (!this.isOver && !this.running && !document.hidden) void this.turn();
  };

  /** Stops all requests. */
  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private async turn(): Promise<void> {
    this.running = true;
    this.isMore = false;
    let rest: number;
    try {
      rest = (await this.asking.ask()) ? this.asking.rest() : SOON;
      this.failures = 0;
    } catch (error) {
      rest = Math.max(RETRY, pause(this.failures, error));
      this.failures += 1;
    }
    this.running = false;
    if (this.isOver) return;
    this.asking.failing(this.failures > 0);
    if (this.isMore && this.failures === 0) this.look();
    else this.timer = setTimeout(this.look, rest);
  }
}
