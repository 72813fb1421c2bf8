// Decides after each attempt whether to return, retry or throw. `python/tidings/policy.py` has the same rules.
import { ApiError, type TidingsError, Unreachable } from './errors.js';

/** A row of the table of operations. `keyed`: accepts an Idempotency-Key. `reads`: a POST that changes nothing. */
export interface Operation {
  verb: string;
  path: string;
  keyed?: boolean;
  reads?: boolean;
}

/** `timeout` of one attempt and `deadline` of the call, in milliseconds. `retries` after lost responses and 503. */
export interface Limits {
  timeout: number;
  deadline: number;
  retries: number;
}

const LOST = new Set([502, 503, 504]);
const LONGEST_BACKOFF = 8_000;
/** The maximum delay of a timer. Longer ones overflow. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** Errors before the request was sent. The server cannot have received it. */
const NOT_SENT = new Set([
  'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns the milliseconds in a number or an HTTP date (RFC 9110, section 10.2.3). */
export function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Returns a delay in milliseconds that doubles with each attempt. Its jitter spreads the retries of many clients. */
export function backoff(attempt: number): number {
  return Math.min(250 * 2 ** attempt, LONGEST_BACKOFF) * (0.5 + Math.random() / 2);
}

function errorCode(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}

async function apiError(answer: Response): Promise<ApiError> {
  const problem: unknown = await answer.json().catch(() => undefined);
  const isObject = typeof problem === 'object' && problem !== null;
  return new ApiError(answer.status, isObject ? (problem as Record<string, unknown>) : {}, {
    requestId: answer.headers.get('X-Request-Id') ?? undefined,
    retryAfter: parseRetryAfter(answer.headers),
  });
}

/** One call of an operation, over all its attempts. */
export class Call {
  private readonly ends: number;
  private losses = 0;
  private refusals = 0;
  private mayHaveArrived = false;

  constructor(
    private readonly operation: Operation,
    private readonly limits: Limits,
    private readonly key?: string,
  ) {
    this.ends = performance.now() + limits.deadline;
  }

  /** The timeout of the next attempt, in milliseconds. */
  timeout(): number {
    return Math.max(1, Math.min(this.limits.timeout, this.remaining(), LONGEST_TIMER));
  }

  /** Returns the milliseconds until the next attempt, or undefined if the response ends the call. Throws ApiError. */
  async afterAnswer(answer: Response): Promise<number | undefined> {
    if (answer.ok) return undefined;
    const error = await apiError(answer);
    if (error.status === 429) {
      this.refusals += 1;
      return this.wait(error, error.retryAfter, this.refusals);
    }
    const deleted = this.operation.verb === 'DELETE' && error.status === 404 && error.code === 'not_found';
    if (deleted && this.mayHaveArrived) return undefined;
    // `unavailable` guarantees that nothing changed.
    if (error.status >= 500 && error.code !== 'unavailable') this.mayHaveArrived = true;
    if (!LOST.has(error.status) || !this.mayRepeat()) throw this.marked(error);
    return this.wait(error, error.retryAfter, this.losses);
  }

  /** Returns the milliseconds until the next attempt. Throws Unreachable. */
  afterLoss(cause: unknown): number {
    if (!NOT_SENT.has(String(errorCode(cause)))) this.mayHaveArrived = true;
    const error = this.unreachable('no answer', cause);
    if (!this.mayRepeat()) throw this.marked(error);
    return this.wait(error, undefined, this.losses);
  }

  /** The error for a successful response that cannot be read. */
  unreadable(cause: unknown): TidingsError {
    this.mayHaveArrived = true;
    return this.marked(this.unreachable('the answer is not JSON', cause));
  }

  private unreachable(why: string, cause: unknown): Unreachable {
    return new Unreachable(`${this.operation.verb} ${this.operation.path}: ${why}`, { cause });
  }

  private remaining(): number {
    return this.ends - performance.now();
  }

  private mayRepeat(): boolean {
    const { verb, keyed, reads } = this.operation;
    const isSafe = verb !== 'POST' || keyed || reads;
    if (!isSafe || this.losses >= this.limits.retries) return false;
    this.losses += 1;
    return true;
  }

  private wait(error: TidingsError, asked: number | undefined, count: number): number {
    const remaining = this.remaining();
    const wait = asked ? asked * (1 + Math.random() / 10) : backoff(count - 1);
    if (remaining < (asked || wait)) throw this.marked(error);
    return Math.min(wait, remaining, LONGEST_TIMER);
  }

  private marked(error: TidingsError): TidingsError {
    const changes = this.operation.verb !== 'GET' && !this.operation.reads;
    error.mayHaveApplied = this.mayHaveArrived && changes;
    error.idempotencyKey = this.key;
    return error;
  }
}
