import type { FieldError, Problem } from './models.js';

/**
 * The base class of all errors of this package: a call failed. `code` names the reason, and `errors` lists the invalid
 * members of the request, if there are any.
 */
export class TidingsError extends Error {
  readonly code: string = 'unknown';
  readonly errors: FieldError[] = [];
  /** Whether the server may have applied the change. */
  mayHaveApplied = false;
  /** The key of the request, if it had one. A call with the same key applies the change at most once. */
  idempotencyKey?: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server returned an error, usually a problem document (RFC 9457). `problem` is the whole document. */
export class ApiError extends TidingsError {
  override readonly code: string;
  override readonly errors: FieldError[];
  readonly detail: string;
  readonly title?: string;
  readonly type?: string;
  readonly instance?: string;
  readonly requestId?: string;
  /** The existing object with the name, key or address (409). */
  readonly existingId?: string;
  /** The contact that remains after a merge (409 `contact_merged`). */
  readonly mergedInto?: string;
  /** The scope that the key needs (403 `insufficient_scope`). */
  readonly requiredScope?: string;
  /** The role that the user needs (403 `insufficient_role`). */
  readonly requiredRole?: string;
  /** The type of the missing object, if the path names several (404). */
  readonly missing?: string;
  /** The milliseconds after which a retry may succeed, from `Retry-After`. */
  readonly retryAfter?: number;

  constructor(
    readonly status: number,
    readonly problem: Partial<Problem> & Record<string, unknown>,
    from: { requestId?: string; retryAfter?: number } = {},
  ) {
    // A proxy may have written the body, so only the members of a problem document are used.
    const listed: unknown[] = Array.isArray(problem.errors) ? problem.errors : [];
    const errors = listed.filter((one): one is FieldError => typeof one === 'object' && one !== null);
    const places = errors.map((place) => `${place.pointer ?? place.parameter}: ${place.message}`).join('; ');
    const code = typeof problem.code === 'string' ? problem.code : 'unknown';
    const detail = problem.detail ?? problem.title ?? `HTTP status ${status}`;
    super(`${status} ${code}: ${detail}${places && ` (${places})`}`);
    this.code = code;
    this.errors = errors;
    this.detail = detail;
    this.title = problem.title;
    this.type = problem.type;
    this.instance = problem.instance;
    this.requestId = problem.request_id ?? from.requestId;
    this.existingId = problem.existing_id;
    this.mergedInto = problem.merged_into;
    this.requiredScope = problem.required_scope;
    this.requiredRole = problem.required_role;
    this.missing = problem.missing;
    this.retryAfter = from.retryAfter;
  }
}

/** No usable response arrived. `mayHaveApplied` is false if the request was never sent. */
export class Unreachable extends TidingsError {
  override readonly code = 'unreachable';
}

/** The signature or the timestamp of a webhook delivery is not valid. */
export class WebhookRefused extends TidingsError {
  override readonly code = 'webhook_refused';
}
