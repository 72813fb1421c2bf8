import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { emptyLists, LIVE, problem, SANDBOX, serve, show } from '../settings/testing';
import { Sandbox } from './page';
import { message } from './testing';

const page = (...data: unknown[]) => ({ data, next_cursor: null });
const INBOUND = `POST /platform/workspaces/${LIVE.id}/sandbox/inbound`;
const said = message({ id: 'msg_1', direction: 'inbound', text: 'hi', sender: { type: 'contact' } });
const answered = message({ id: 'msg_2', created_at: '2026-01-01T00:00:01.000Z', text: 'Hello Ada' });

const quiet = {
  [`GET /platform/workspaces/${LIVE.id}/sandbox/clock`]: () => ({
    now: '2026-01-01T00:00:00.000Z',
    ahead_seconds: 0,
    arrived: true,
    steps: 0,
  }),
  'GET /api/v1/channels': () => page({ id: said.channel_id, kind: 'sandbox', is_default: true }),
  ...emptyLists('contacts', 'conversations'),
  [`GET /api/v1/channels/${said.channel_id}/captured`]: () => page(),
  [`GET /platform/workspaces/${SANDBOX.id}/api-keys`]: () => page(),
};

test('Enter simulates the typed message in the sandbox, and shows the reply below', async () => {
  const play = vi.fn(() => said);
  const places: (string | null)[] = [];
  serve({
    ...quiet,
    [INBOUND]: play,
    [`GET /api/v1/conversations/${said.conversation_id}/messages`]: (_, request) => {
      places.push(request.headers.get('X-Workspace-Id'));
      return page(answered, said);
    },
  });
  show(<Sandbox />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message of the contact' }), 'hi{Enter}');
  await waitFor(() => expect(play).toHaveBeenCalledWith({ contact: 'ada', text: 'hi' }, expect.anything()));
  const log = await screen.findByRole('log');
  await waitFor(() => expect(log.textContent).toMatch(/hi.*Hello Ada/));
  expect(new Set(places)).toEqual(new Set([SANDBOX.id]));
});

test('Shift and Enter start a new line', async () => {
  const play = vi.fn(() => said);
  serve({ ...quiet, [INBOUND]: play });
  show(<Sandbox />);
  const text = await screen.findByRole('textbox', { name: 'Message of the contact' });
  await userEvent.type(text, 'one{Shift>}{Enter}{/Shift}two');
  expect((text as HTMLTextAreaElement).value).toBe('one\ntwo');
  expect(play).not.toHaveBeenCalled();
});

test('keeps the text of a failed message', async () => {
  serve({ ...quiet, [INBOUND]: () => problem(503, 'unavailable', 'Try again soon.') });
  show(<Sandbox />);
  const text = await screen.findByRole('textbox', { name: 'Message of the contact' });
  await userEvent.type(text, 'hi{Enter}');
  expect(await screen.findByText('Try again soon.')).toBeTruthy();
  expect((text as HTMLTextAreaElement).value).toBe('hi');
});

test('hides the sandbox from members who are not admins, and sends no requests', async () => {
  const { asked } = serve(quiet);
  show(<Sandbox />, { role: 'member' });
  expect(await screen.findByText('Only admins can use the sandbox')).toBeTruthy();
  expect(asked).toEqual([]);
});
