import { vi } from 'vitest';
import { type Answers, LIVE } from '../settings/testing';
import type { Column, Import, ImportCheck } from './check';

export const CREATED: Import = {
  id: 'imp_1',
  status: 'queued',
  existing: 'update',
  on_error: 'reject_row',
  key: null,
  columns: ['E-Mail', 'Umsatz'],
  ignored_columns: [],
  counts: {
    rows: 2,
    done: 0,
    created: 0,
    updated: 0,
    kept: 0,
    rejected: 0,
    still_opted_out: 0,
    skipped_cells: 0,
    clock_changes: 0,
  },
  created_by: { type: 'user', id: 'user_1' },
  created_at: LIVE.created_at,
  updated_at: LIVE.updated_at,
  started_at: null,
  ended_at: null,
  error: null,
  version: 1,
};
export const COMPLETED: Import = {
  ...CREATED,
  status: 'completed',
  counts: { ...CREATED.counts, done: 2, created: 1, rejected: 1, skipped_cells: 2 },
  ended_at: LIVE.created_at,
  version: 3,
};

export const REVENUE = {
  id: 'field_1',
  key: 'revenue',
  name: 'Revenue',
  type: 'number',
  options: [],
  validation: {},
};
export const BIRTHDAY = {
  id: 'field_2',
  key: 'birthday',
  name: 'Birthday',
  type: 'date',
  options: [],
  validation: {},
};

export function column(heading: string, more: Partial<Column> = {}): Column {
  return {
    heading,
    state: 'matched',
    target: null,
    other_columns: [],
    format: null,
    filled: 2,
    empty: 0,
    failing: 0,
    failures: [],
    clock_changes: 0,
    proposals: [],
    samples: ['a', 'b'],
    ...more,
  };
}

export const DATES = [
  {
    format: 'date:dd/mm/yyyy',
    failing: 0,
    example: { line: 2, value: '03/04/2026', read_as: '2026-04-03' },
  },
  {
    format: 'date:mm/dd/yyyy',
    failing: 0,
    example: { line: 2, value: '03/04/2026', read_as: '2026-03-04' },
  },
];

/** The columns of the table before any decision. */
export const COLUMNS: Column[] = [
  column('E-Mail', { target: 'email', format: 'text', samples: ['ada@x.example'] }),
  column('Umsatz', { state: 'unknown', samples: ['1.234,50', '12'] }),
  column('Geburtstag', { target: 'custom_fields.birthday', proposals: DATES, samples: ['03/04/2026'] }),
  column('Abgemeldet', {
    state: 'proposed',
    target: 'subscribed',
    format: 'yes_no:inverted',
    samples: ['ja'],
  }),
];

/** A check as the server answers it: decisions in the query make columns `given`. */
export function checkOf(request: Request, columns = COLUMNS): ImportCheck {
  const query = new URL(request.url).searchParams;
  const given = (name: string, heading: string) =>
    query
      .getAll(name)
      .find((it) => it.startsWith(`${heading}:`))
      ?.slice(heading.length + 1);
  const read = columns.map((it): Column => {
    const [target, format] = [given('column', it.heading), given('format', it.heading)];
    const chosen = format ? { format, proposals: [] } : {};
    if (target === '-') return { ...it, state: 'skipped', target: null, format: null, proposals: [] };
    return target ? { ...it, state: 'given', target, ...chosen } : { ...it, ...chosen };
  });
  const isOpen = ({ state, proposals, target }: Column) =>
    target !== '-' && (['unknown', 'proposed', 'conflict'].includes(state) || proposals.length > 0);
  const problems = read.filter(isOpen).map((it) => ({ column: it.heading, code: 'x', message: 'x' }));
  const imported = read.filter((it) => it.target && it.target !== '-');
  return {
    encoding: query.get('encoding') ?? 'windows-1252',
    delimiter: query.get('delimiter') ?? ';',
    rows: 2,
    blank_rows: 1,
    ready: problems.length === 0,
    columns: read,
    row_errors: { count: 0, examples: [] },
    problems,
    parameters: [
      { name: 'encoding', value: 'windows-1252' },
      { name: 'delimiter', value: ';' },
      ...imported.map((it) => ({ name: 'column', value: `${it.heading}:${it.target}` })),
      ...imported.flatMap((it) =>
        it.format ? [{ name: 'format', value: `${it.heading}:${it.format}` }] : [],
      ),
    ],
  };
}

export const REJECTED = [
  'line,column,code,message,E-Mail,Umsatz',
  '3,E-Mail,invalid_value,"`nobody` is not an email address",nobody,1',
  '2,Umsatz,not_a_number,The cell was skipped: `abc` is not a number,ada@x.example,abc',
  '3,Umsatz,not_a_number,The cell was skipped: `x` is not a number,nobody,x',
  '',
].join('\r\n');

/** The server for an import. `start` answers the request that starts it. */
export function service(
  more: Answers = {},
  start = vi.fn((_: unknown, _request: Request): unknown => CREATED),
) {
  const answers: Answers = {
    'GET /api/v1/custom-fields': () => ({ data: [REVENUE, BIRTHDAY], next_cursor: null }),
    'GET /api/v1/contacts/imports': () => ({ data: [COMPLETED], next_cursor: null }),
    'GET /api/v1/contacts/imports/imp_1': () => COMPLETED,
    'GET /api/v1/contacts/imports/imp_1/rejected': () => new Response(REJECTED),
    'POST /api/v1/contacts/import': (body, request) =>
      new URL(request.url).searchParams.has('check') ? checkOf(request) : start(body, request),
    ...more,
  };
  return { answers, start };
}
