import { createParser } from 'eventsource-parser';

/** One event of a stream. */
export interface Told {
  event: string;
  id?: string;
  data: unknown;
}

/** Reads server-sent events, however their text is cut into parts. */
export class Blocks {
  /** How long to wait before the stream is opened again, in milliseconds, where it said so. */
  retry: number | undefined;
  private readonly read: Told[] = [];
  private readonly parser = createParser({
    onEvent: ({ event, id, data }) => event && this.read.push({ event, id, data: JSON.parse(data) }),
    onRetry: (retry) => {
      if (retry > 0) this.retry = retry;
    },
  });

  /** Takes a part, and gives the events that it completes. */
  take(part: string): Told[] {
    this.parser.feed(part);
    return this.read.splice(0);
  }
}
