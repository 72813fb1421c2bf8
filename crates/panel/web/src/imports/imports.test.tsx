import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answers, LIVE, problem, serve, show } from '../settings/testing';
import type { Import } from './api';
import { ImportDialog, NEW } from './dialog';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const made: Import = {
  id: 'imp_1',
  status: 'queued',
  existing: 'update',
  key: null,
  columns: ['E-Mail', 'Notes'],
  counts: { rows: 2, done: 0, created: 0, updated: 0, kept: 0, rejected: 0, still_opted_out: 0 },
  created_at: LIVE.created_at,
  updated_at: LIVE.updated_at,
  started_at: null,
  ended_at: null,
  error: null,
  version: 1,
};
const over: Import = {
  ...made,
  status: 'completed',
  counts: { ...made.counts, done: 2, created: 1, rejected: 1 },
  ended_at: LIVE.created_at,
  version: 3,
};
const around: Answers = {
  'GET /api/v1/custom-fields': () => ({ data: [], next_cursor: null }),
  'GET /api/v1/contacts/imports': () => ({ data: [over], next_cursor: null }),
  'GET /api/v1/contacts/imports/imp_1': () => over,
};
const TABLE = 'E-Mail,Notes\nada@x.example,met in May\nnobody,\n';

function Opened({ at = NEW }: { at?: string }) {
  const [opened, setOpened] = useState<string | undefined>(at);
  return <ImportDialog opened={opened} show={setOpened} />;
}

async function choose(text = TABLE) {
  await screen.findByText('Drop a CSV file here, or');
  const input = document.querySelector('input[type=file]') as HTMLInputElement;
  await userEvent.upload(input, new File([text], 'may.csv', { type: 'text/csv' }));
}

test('a table is taken in by what its columns are, and what became of it is told', async () => {
  const post = vi.fn((_body: unknown, _request: Request) => Response.json(made, { status: 202 }));
  serve({ ...around, 'POST /api/v1/contacts/import': post });
  show(<Opened />);
  await choose();
  expect(await screen.findByText('may.csv: 2 rows')).toBeTruthy();
  expect(screen.getByText('met in May')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: /Keep it/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Import 2 rows' }));
  await waitFor(() => expect(post).toHaveBeenCalled());
  const [body, request] = post.mock.calls[0] ?? [];
  expect(body).toBe(TABLE);
  const query = new URL((request as Request).url).searchParams;
  expect(query.getAll('column')).toEqual(['E-Mail:email', 'Notes:-']);
  expect(query.get('existing')).toBe('keep');
  expect((request as Request).headers.get('Idempotency-Key')).toBeTruthy();
  expect(await screen.findByText('completed')).toBeTruthy();
  expect(screen.getByText('2 of 2 rows')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download the rejected rows' })).toBeTruthy();
});

test('without a column that contacts are known by nothing is sent, and the table says why', async () => {
  serve(around);
  show(<Opened />);
  await choose('Name\nAda\n');
  expect(await screen.findByText(/by it contacts are known again/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Import 1 row' }).hasAttribute('disabled')).toBe(true);
});

test('a file that is no table is told at once, and what the service refuses at its end', async () => {
  const detail = 'line 3: a cell begins with `"`, which is never closed';
  const refused = () =>
    problem(422, 'validation_failed', 'The request is not valid.', [
      { pointer: '', code: 'unclosed_quotes', message: detail },
    ]);
  serve({ ...around, 'POST /api/v1/contacts/import': refused });
  show(<Opened />);
  await choose('email\n');
  expect(await screen.findByText(/The table has no rows/)).toBeTruthy();
  await choose();
  await userEvent.click(await screen.findByRole('button', { name: 'Import 2 rows' }));
  expect(await screen.findByText(detail)).toBeTruthy();
});

test('past imports are opened, and one that goes on is cancelled', async () => {
  let cancelled = false;
  const running: Import = { ...made, status: 'running', counts: { ...made.counts, rows: 900, done: 300 } };
  const now = () => (cancelled ? { ...running, status: 'cancelled', ended_at: LIVE.created_at } : running);
  serve({
    ...around,
    'GET /api/v1/contacts/imports': () => ({ data: [now()], next_cursor: null }),
    'GET /api/v1/contacts/imports/imp_1': now,
    'POST /api/v1/contacts/imports/imp_1/cancel': () => {
      cancelled = true;
      return now();
    },
  });
  show(<Opened />);
  const past = await screen.findByRole('region', { name: 'Past imports' });
  await userEvent.click(await within(past).findByRole('cell', { name: 'running' }));
  expect(await screen.findByText('300 of 900 rows')).toBeTruthy();
  const bar = screen.getByRole('progressbar', { name: 'Progress' }) as HTMLProgressElement;
  expect([bar.value, bar.max]).toEqual([300, 900]);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel the import' }));
  expect(await screen.findByText('cancelled')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel the import' })).toBeNull();
});
