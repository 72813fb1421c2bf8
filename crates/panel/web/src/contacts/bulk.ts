import { Problem } from '../api/problem';
import { told } from '../components/failure';

/** How a change of many is going. */
export interface Progress {
  total: number;
  done: number;
  /** What went wrong, and with whom, by their ids. */
  failed: { message: string; ids: string[] }[];
}

/** What became of those that were tried: nothing said is done. */
export type Outcome = Record<string, string | undefined>;

/** How a request for some is under way. */
export interface Going {
  /** Whether somebody stops it. */
  signal: AbortSignal;
  /** Tells how many of them are done, where that is known before its end. */
  tell: (done: number) => void;
  /** Waits so many milliseconds. */
  sleep: (ms: number) => Promise<unknown>;
}

interface Work {
  ids: string[];
  /** How many go with one request. */
  size: number;
  /** Does it to some; rejects where nothing is known of any of them. */
  act: (ids: string[], going: Going) => Promise<Outcome>;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  sleep?: Going['sleep'];
}

const SLEEP = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Does something to many, some at a time. The limit of requests is waited for; what fails is told at the end. */
export async function many(work: Work): Promise<Progress> {
  const { ids, size, signal, onProgress } = work;
  let progress: Progress = { total: ids.length, done: 0, failed: [] };
  for (const next of chunks(ids, size)) {
    if (signal.aborted) break;
    const { done } = progress;
    const tell = (more: number) => onProgress({ ...progress, done: done + Math.min(more, next.length) });
    progress = counted(progress, await attempted(work, next, tell));
    onProgress(progress);
  }
  return progress;
}

async function attempted(work: Work, ids: string[], tell: Going['tell']): Promise<Outcome> {
  const { signal, sleep = SLEEP } = work;
  for (;;) {
    try {
      return await work.act(ids, { signal, tell, sleep });
    } catch (error) {
      if (error instanceof Problem && error.status === 429 && !signal.aborted) {
        await sleep((error.retryAfter ?? 1) * 1000);
        continue;
      }
      const message = told(error);
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
  const failed = before.failed.map(({ message, ids }) => ({ message, ids: [...ids] }));
  let done = before.done;
  for (const [id, message] of Object.entries(outcome)) {
    if (message === undefined) {
      done += 1;
      continue;
    }
    const known = failed.find((it) => it.message === message);
    if (known) known.ids.push(id);
    else failed.push({ message, ids: [id] });
  }
  return { ...before, done, failed };
}

/** How many were tried so far. */
export function tried({ done, failed }: Progress): number {
  return done + failed.reduce((sum, { ids }) => sum + ids.length, 0);
}
