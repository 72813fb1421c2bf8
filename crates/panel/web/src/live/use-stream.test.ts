import { expect, test, vi } from 'vitest';
import { session } from '../app/session';
import { problem, serve } from '../settings/testing';
import { streamOf } from './use-stream';

test('does not open the stream of a deleted workspace again at once', async () => {
  vi.useFakeTimers();
  vi.spyOn(session, 'accessToken').mockResolvedValue('token');
  vi.spyOn(session, 'reload').mockResolvedValue();
  const { asked } = serve({ 'GET /api/v1/stream': () => problem(410, 'workspace_deleted', 'Deleted.') });
  const stop = streamOf('ws_deleted').listen(() => undefined);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toEqual(['GET /api/v1/stream']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toHaveLength(2);
  stop();
});
