import { pause } from '../api/queries';

/** After an answer that did not come, at the least. */
const RETRY = 2_000;
/** Where it could not be asked, as the list is read anew just then. */
const SOON = 500;

interface Asking {
  /** Asks; whether it could. */
  ask: () => Promise<boolean>;
  /** How long to wait where nothing is told, in milliseconds. */
  rest: () => number;
  /** Hears whether the last answer did not come. */
  failing: (is: boolean) => void;
}

/** Asks for something that grows, one question at a time: whenever there is more, and every so often by itself. */
export class Turns {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running = false;
  private isMore = false;
  private failures = 0;
  private isOver = false;

  constructor(private readonly asking: Asking) {}

  /** There is more: asks at once, or once more where it is asking. After a failure it waits as long as that says. */
  readonly more = (): void => {
    this.isMore = true;
    if (this.failures === 0) this.look();
  };

  /** Asks at once, unless it is asking or the page is out of sight. */
  readonly look = (): void => {
    clearTimeout(this.timer);
    if (!this.isOver && !this.running && !document.hidden) void this.turn();
  };

  /** Asks no more. */
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
