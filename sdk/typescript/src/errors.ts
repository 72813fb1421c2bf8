/** A place that was wrong, as the problem document names it. */
export interface Place {
  pointer?: string;
  parameter?: string;
  code: string;
  message: string;
}

/** What a problem document (RFC 9457) says. */
export interface Problem {
  status?: number;
  code?: string;
  title?: string;
  detail?: string;
  errors?: Place[];
}

/** The server refused. `code` is the word to decide by, `errors` names each place that was wrong. */
export class TidingsError extends Error {
  readonly code: string;
  readonly errors: Place[];

  constructor(
    readonly status: number,
    problem: Problem,
    readonly requestId: string | null,
  ) {
    const errors = problem.errors ?? [];
    const places = errors.map((place) => `${place.pointer ?? place.parameter}: ${place.message}`).join('; ');
    const code = problem.code ?? 'unknown';
    super(`${status} ${code}: ${problem.detail ?? problem.title ?? ''}${places && ` (${places})`}`);
    this.name = 'TidingsError';
    this.code = code;
    this.errors = errors;
  }
}

/**
 * No answer came. What was asked may have been done, unless it was asked with an idempotency key: repeat it.
 */
export class Unreachable extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what}: no answer`, { cause });
    this.name = 'Unreachable';
  }
}
