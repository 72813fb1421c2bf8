import { faultMessage } from '../i18n/problems';

/** An error in a member of the request body or in a parameter. */
export interface Fault {
  pointer?: string;
  parameter?: string;
  code: string;
  message: string;
  /** The values in the message. */
  params?: Record<string, string>;
}

/** An error response of the server (RFC 9457). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly requestId: string | undefined,
    readonly faults: Fault[] = [],
    /** The seconds after which a retry may succeed. */
    readonly retryAfter?: number,
    /** The members of the response that are not standard. */
    readonly more: Record<string, unknown> = {},
  ) {
    super(detail);
    this.name = 'Problem';
  }
}

/** The server could not be reached. The result of the request is unknown. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached.', { cause });
    this.name = 'Unreachable';
  }
}

export function problemOf(response: Response, body: unknown): Problem {
  const told = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = (name: string) => (typeof told[name] === 'string' ? (told[name] as string) : undefined);
  const { type, title, status, code, detail, instance, request_id, errors, ...more } = told;
  const seconds = Number(response.headers.get('Retry-After'));
  return new Problem(
    response.status,
    text('code') ?? 'unknown',
    text('detail') ?? text('title') ?? `The service answered with ${response.status}.`,
    text('request_id') ?? response.headers.get('X-Request-Id') ?? undefined,
    Array.isArray(errors) ? (errors as Fault[]) : [],
    Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
    more,
  );
}

/** The message for each field of a form, by the first segment of the pointer. */
export function faultsByField(error: unknown): Record<string, string> {
  return faultsAt(error, 1, () => true);
}

/** The message for each member of the object in `field`, by the member's name. */
export function faultsBelow(error: unknown, field: string): Record<string, string> {
  return faultsAt(error, field.split('/').length + 1, (pointer) => pointer.startsWith(`/${field}/`));
}

function faultsAt(
  error: unknown,
  segment: number,
  applies: (pointer: string) => boolean,
): Record<string, string> {
  if (!(error instanceof Problem)) return {};
  const found = error.faults.flatMap((fault) => {
    const pointer = fault.pointer ?? '';
    const name = pointer.split('/')[segment]?.replaceAll('~1', '/').replaceAll('~0', '~');
    return name === undefined || !applies(pointer) ? [] : [[name, sentence(faultMessage(fault))] as const];
  });
  return Object.fromEntries(found.reverse());
}

/** Capitalizes a text and ends it with a full stop. */
export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
