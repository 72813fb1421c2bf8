/** Something that has a version and a time at which it last changed. */
interface Versioned {
  id: string;
  version: number;
  updated_at: string;
}

/** How far before the last change that was seen one asks again: commits need not end in the order of their times. */
const OVERLAP = 5_000;

/** What changed since one last asked: each version of an object is told once. */
export class Changes {
  /** The time from which on changes are asked for; absent until the service has told its own time. */
  since: string | undefined;
  private seen = new Map<string, Versioned>();

  /** Takes an answer, and gives what of it is new. The first answer only says where to begin. */
  take<Row extends Versioned>(rows: Row[], date: string | null): Row[] {
    if (this.since === undefined) {
      const now = Date.parse(date ?? '') || Date.now();
      this.since = earlier(now);
      return [];
    }
    const fresh = rows.filter((row) => (this.seen.get(row.id)?.version ?? 0) < row.version);
    for (const row of fresh) this.seen.set(row.id, row);
    const newest = Math.max(
      Date.parse(this.since) + OVERLAP,
      ...rows.map((row) => Date.parse(row.updated_at)),
    );
    this.since = earlier(newest);
    for (const [id, row] of this.seen) {
      if (Date.parse(row.updated_at) < Date.parse(this.since)) this.seen.delete(id);
    }
    return fresh;
  }
}

const earlier = (at: number) => new Date(at - OVERLAP).toISOString();
