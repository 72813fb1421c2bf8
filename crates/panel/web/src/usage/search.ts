const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Time ranges that end now, in milliseconds. */
export const SPANS = { PT15M: 15 * MINUTE, PT1H: HOUR, P1D: DAY, P7D: 7 * DAY, P30D: 30 * DAY } as const;
export type Last = keyof typeof SPANS;

/** The default time range. */
export const USUAL: Last = 'PT1H';

export const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Requests of users, or of all callers. The default is all API keys. */
export type By = 'people' | 'everybody';

/** The filters of the API, except the time range. */
export interface Filters {
  caller?: 'key' | 'person';
  status_class?: (typeof CLASSES)[number];
  method?: string;
  route?: string;
  key_id?: string;
  error_code?: string;
  request_id?: string;
}

/** The search parameters of the usage log: filters, the open request, and the view. */
export interface LogSearch extends Omit<Filters, 'caller'> {
  by?: By;
  /** A time range that ends now, if `from` and `to` are absent. */
  last?: Last;
  from?: string;
  to?: string;
  open?: string;
  tab?: 'errors';
}

const TEXTS = ['method', 'route', 'key_id', 'error_code', 'request_id', 'open'] as const;
const FILTERS = ['status_class', 'method', 'route', 'key_id', 'error_code', 'request_id'] as const;

/** Reads the search parameters and ignores invalid ones. */
export function readLogSearch(search: Record<string, unknown>): LogSearch {
  const read: LogSearch = {};
  for (const name of TEXTS) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') read[name] = value;
  }
  for (const name of ['from', 'to'] as const) {
    const value = search[name];
    if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) read[name] = value;
  }
  if (typeof search.last === 'string' && Object.hasOwn(SPANS, search.last)) read.last = search.last as Last;
  const wanted = CLASSES.find((it) => it === search.status_class);
  if (wanted) read.status_class = wanted;
  if (search.tab === 'errors') read.tab = 'errors';
  if (search.by === 'people' || search.by === 'everybody') read.by = search.by;
  return read;
}

/**
 * The filters for the API. By default only requests with API keys are listed, because requests of the panel
 * would outnumber them.
 */
export function filtersOf(search: LogSearch): Filters {
  const set = FILTERS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]));
  const caller = callerOf(search);
  return Object.fromEntries(caller ? [['caller', caller], ...set] : set);
}

function callerOf({ by, key_id, request_id }: LogSearch): Filters['caller'] {
  if (by === 'everybody' || key_id || request_id) return undefined;
  return by === 'people' ? 'person' : 'key';
}

/** The number of set filters, including a selected time range. */
export function filterCount(search: LogSearch): number {
  const set = [...FILTERS, 'by' as const].filter((name) => search[name] !== undefined);
  return set.length + (hasSpan(search) ? 1 : 0);
}

/** Whether the user selected a fixed time range. */
export function hasSpan(search: LogSearch): boolean {
  return search.from !== undefined || search.to !== undefined;
}

/** Removes the filters. The open request and the view stay. */
export function withoutFilters<S extends LogSearch>(search: S): S {
  const rest = { ...search };
  for (const name of [...FILTERS, 'by', 'from', 'to'] as const) delete rest[name];
  return rest;
}

export interface Span {
  from?: string;
  to?: string;
}

/** The time range for the API. A request ID contains its time, so it needs no range. */
export function spanOf(search: LogSearch, now: number): Span {
  if (search.request_id) return {};
  const length = SPANS[search.last ?? USUAL];
  if (!hasSpan(search)) return { from: new Date(now - length).toISOString() };
  const end = search.to === undefined ? now : Date.parse(search.to);
  return { from: search.from ?? new Date(end - length).toISOString(), to: search.to };
}

/** The time range with a start and an end. */
export function wholeSpanOf(search: LogSearch, now: number): { from: string; to: string } {
  const { from, to } = spanOf(search, now);
  return {
    from: from ?? new Date(now - SPANS.P30D).toISOString(),
    to: to ?? new Date(now).toISOString(),
  };
}

/** Whether a text has the format of a request ID. */
export function isRequestId(text: string): boolean {
  return /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}
