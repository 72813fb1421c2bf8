import { expect, test, vi } from 'vitest';
import { session } from '../app/session';
import { problem, serve } from '../settings/testing';
import { api } from './client';

function answer(status: number, code: string) {
  vi.spyOn(session, 'accessToken').mockResolvedValue('token');
  const reload = vi.spyOn(session, 'reload').mockResolvedValue();
  serve({ 'GET /api/v1/me': () => problem(status, code, 'Gone.') });
  return reload;
}

test('reads the account once after several responses that the workspace is deleted', async () => {
  const reload = answer(410, 'workspace_deleted');
  const ask = () => api.raw.GET('/api/v1/me');
  const answers = await Promise.all([ask(), ask(), ask()]);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(answers.map((it) => it.error)).toEqual(
    Array(3).fill(expect.objectContaining({ code: 'workspace_deleted' })),
  );
});

test('reads the account again after a later response', async () => {
  const reload = answer(410, 'workspace_deleted');
  await api.raw.GET('/api/v1/me');
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  await api.raw.GET('/api/v1/me');
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
});

test.each([
  [410, 'events_expired'],
  [404, 'not_found'],
])('does not read the account after another response: %s %s', async (status, code) => {
  const reload = answer(status, code);
  await api.raw.GET('/api/v1/me');
  await api.raw.GET('/api/v1/me');
  expect(reload).not.toHaveBeenCalled();
});
