const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The spans that end now, in milliseconds. */
export const SPANS = { PT15M: 15 * MINUTE, PT1H: HOUR, P1D: DAY, P7D: 7 * DAY, P30D: 30 * DAY } as const;
export type Last = keyof typeof SPANS;

/** The span where the address says nothing. */
export const USUAL: Last = 'PT1H';

export const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Whose requests, where it is not those of all keys. */
export type By = 'people' | 'everybody';

/** Which requests, beside when, as the API is asked. */
export interface Filters {
  caller?: 'key' | 'person';
  status_class?: (typeof CLASSES)[number];
  method?: string;
  route?: string;
  key_id?: string;
  error_code?: string;
  request_id?: string;
}

/** What the address of the usage log says: its filters, what is open, and how it is shown. */
export interface LogSearch extends Omit<Filters, 'caller'> {
  by?: By;
  /** How long back; where neither `from` nor `to` is there. */
  last?: Last;
  from?: string;
  to?: string;
  /** The request whose details are open. */
  open?: string;
  tab?: 'errors';
}

const TEXTS = ['method', 'route', 'key_id', 'error_code', 'request_id', 'open'] as const;
const FILTERS = ['status_class', 'method', 'route', 'key_id', 'error_code', 'request_id'] as const;

/** Reads an address; what it does not know is left out. */
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

/** The filters as the API is asked: of keys, where nothing else is said. What people do in the panel would drown them. */
export function filtersOf(search: LogSearch): Filters {
  const set = FILTERS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]));
  const caller = callerOf(search);
  return Object.fromEntries(caller ? [['caller', caller], ...set] : set);
}

function callerOf({ by, key_id, request_id }: LogSearch): Filters['caller'] {
  if (by === 'everybody' || key_id || request_id) return undefined;
  return by === 'people' ? 'person' : 'key';
}

/** How many filters are set, a chosen span among them. */
export function filterCount(search: LogSearch): number {
  const set = [...FILTERS, 'by' as const].filter((name) => search[name] !== undefined);
  return set.length + (hasSpan(search) ? 1 : 0);
}

/** Whether the span is one that somebody chose, not one that ends now. */
export function hasSpan(search: LogSearch): boolean {
  return search.from !== undefined || search.to !== undefined;
}

/** The same page without its filters: what is open and how it is shown stays. */
export function withoutFilters<S extends LogSearch>(search: S): S {
  const rest = { ...search };
  for (const name of [...FILTERS, 'by', 'from', 'to'] as const) delete rest[name];
  return rest;
}

export interface Span {
  from?: string;
  to?: string;
}

/** From when on, and before when. An id of a request tells its own time: then there are no bounds. */
export function spanOf(search: LogSearch, now: number): Span {
  if (search.request_id) return {};
  const length = SPANS[search.last ?? USUAL];
  if (!hasSpan(search)) return { from: new Date(now - length).toISOString() };
  const end = search.to === undefined ? now : Date.parse(search.to);
  return { from: search.from ?? new Date(end - length).toISOString(), to: search.to };
}

/** The same with both ends. */
export function wholeSpanOf(search: LogSearch, now: number): { from: string; to: string } {
  const { from, to } = spanOf(search, now);
  return {
    from: from ?? new Date(now - SPANS.P30D).toISOString(),
    to: to ?? new Date(now).toISOString(),
  };
}

/** Whether a text can be the id of a request. */
export function isRequestId(text: string): boolean {
  return /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}
