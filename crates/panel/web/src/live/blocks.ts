import { createParser } from 'eventsource-parser';

/** An event of a stream. */
export interface Told {
  event: string;
  id?: string;
  data: unknown;
}

/** A parser for server-sent events that arrive in parts of any size. */
export class Blocks {
  /** The delay before a reconnect in milliseconds, if the stream contained one. */
  retry: number | undefined;
  private readonly read: Told[] = [];
  private readonly parser = createParser({
    onEvent: ({ event, id, data }) => event && this.read.push({ event, id, data: JSON.parse(data) }),
    onRetry: (retry) => {
      if (retry > 0) this.retry = retry;
    },
  });

  /** Parses the next part and returns the events that it completes. */
  take(part: string): Told[] {
    this.parser.feed(part);
    return this.read.splice(0);
  }
}
