/** An object with a version and the time of its last change. */
interface Versioned {
  id: string;
  version: number;
  updated_at: string;
}

/** The overlap of two polls in milliseconds. Transactions may not commit in the order of their timestamps. */
const OVERLAP = 5_000;

/** Filters polled rows: each version of an object is returned once. */
export class Changes {
  /** The time after which changes are polled. Absent until the server's time is known. */
  since: string | undefined;
  private seen = new Map<string, Versioned>();

  /** Returns the new rows of a response. The first response only sets the start time. */
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
