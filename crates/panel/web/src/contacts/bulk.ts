import { Problem } from '../api/problem';

/** How a change of many is going. */
export interface Progress {
  total: number;
  done: number;
  /** What went wrong, and how often. */
  failed: { message: string; count: number }[];
}

/** What became of each id: nothing said is done. */
export type Outcome = Record<string, string | undefined>;

interface Work {
  ids: string[];
  /** How many go with one request. */
  size: number;
  /** How many requests are on their way at once. */
  atOnce: number;
  /** Does it to some; rejects where nothing is known of any of them. */
  act: (ids: string[]) => Promise<Outcome>;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Waits so many milliseconds. */
  sleep?: (ms: number) => Promise<unknown>;
}

const SLEEP = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Does something to many, some at a time. The limit of requests is waited for; what fails is told at the end. */
export async function many(work: Work): Promise<Progress> {
  const { ids, size, atOnce, signal, onProgress } = work;
  const waiting = chunks(ids, size);
  let progress: Progress = { total: ids.length, done: 0, failed: [] };
  const lane = async () => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
      const outcome = await attempted(work, next);
      progress = counted(progress, outcome);
      onProgress(progress);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return progress;
}

async function attempted(work: Work, ids: string[]): Promise<Outcome> {
  for (;;) {
    try {
      return await work.act(ids);
    } catch (error) {
      if (error instanceof Problem && error.status === 429 && !work.signal.aborted) {
        await (work.sleep ?? SLEEP)((error.retryAfter ?? 1) * 1000);
        continue;
      }
      const message = error instanceof Error ? error.message : String(error);
      return Object.fromEntries(ids.map((id) => [id, message]));
    }
  }
}

export function chunks<It>(all: It[], size: number): It[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

function counted(before: Progress, outcome: Outcome): Progress {
  const failed = before.failed.map((it) => ({ ...it }));
  let done = before.done;
  for (const message of Object.values(outcome)) {
    if (message === undefined) {
      done += 1;
      continue;
    }
    const known = failed.find((it) => it.message === message);
    if (known) known.count += 1;
    else failed.push({ message, count: 1 });
  }
  return { ...before, done, failed };
}

/** How many were tried so far. */
export function tried({ done, failed }: Progress): number {
  return done + failed.reduce((sum, it) => sum + it.count, 0);
}
