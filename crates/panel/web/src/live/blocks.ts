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
  private text = '';

  /** Takes a part, and gives the events that it completes. */
  take(part: string): Told[] {
    const blocks = (this.text + part).split('\n\n');
    this.text = blocks.pop() ?? '';
    return blocks.flatMap((block) => this.read(block) ?? []);
  }

  private read(block: string): Told | undefined {
    const fields = new Map(block.split('\n').map(field));
    const retry = Number(fields.get('retry'));
    if (retry > 0) this.retry = retry;
    const event = fields.get('event');
    if (event === undefined) return undefined;
    return { event, id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') };
  }
}

function field(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}
