import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { serve, show } from '../settings/testing';
import { DeadLetters } from './page';

const AT = '2026-01-01T00:00:00.000Z';
const JOB = {
  id: 'job_1',
  kind: 'send_message',
  subject: { type: 'message', id: 'msg_1' },
  status: 'dead',
  attempts: 12,
  is_retriable: true,
  due_at: AT,
  dead_at: AT,
  error: 'the store was away',
  replay: null,
};
const served = { 'GET /api/v1/jobs': () => ({ data: [JOB], next_cursor: null }) };

test('a dead letter shows its error, and is retried', async () => {
  const retry = vi.fn(() => ({ ...JOB, id: 'job_2', status: 'queued' }));
  serve({ ...served, 'POST /api/v1/jobs/job_1/retry': retry });
  show(<DeadLetters />, { path: '/?job=job_1' });
  const drawer = await screen.findByRole('complementary', { name: 'Dead letter' });
  expect(await within(drawer).findByText('the store was away')).toBeTruthy();
  await userEvent.click(within(drawer).getByRole('button', { name: 'Retry' }));
  expect(await within(drawer).findByText(/queued again/)).toBeTruthy();
  expect(retry).toHaveBeenCalledTimes(1);
});

test('asks once before a job is discarded', async () => {
  const drop = vi.fn(() => new Response(null, { status: 204 }));
  serve({ ...served, 'DELETE /api/v1/jobs/job_1': drop });
  show(<DeadLetters />, { path: '/?job=job_1' });
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  const asked = await screen.findByRole('dialog', { name: 'Discard this job?' });
  await userEvent.click(within(asked).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(drop).toHaveBeenCalledTimes(1));
});

test('a viewer sees jobs without actions', async () => {
  serve(served);
  show(<DeadLetters />, { role: 'viewer', path: '/?job=job_1' });
  const drawer = await screen.findByRole('complementary', { name: 'Dead letter' });
  await within(drawer).findByText('the store was away');
  expect(within(drawer).queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(within(drawer).queryByRole('button', { name: 'Discard' })).toBeNull();
});
