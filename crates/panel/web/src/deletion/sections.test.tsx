import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { saveFile } from '../components/save-file';
import { LIVE, problem, SANDBOX, serve, show } from '../settings/testing';
import { WorkspaceSettings } from '../settings/workspace';

vi.mock('../components/save-file', () => ({ saveFile: vi.fn() }));

beforeEach(() => vi.mocked(saveFile).mockReset());

const PATH = `/platform/workspaces/${LIVE.id}`;
const EXPORT = `GET ${PATH}/export`;
const read = {
  'GET /api/v1/me': () => ({ requests_per_minute: 2500 }),
  [`GET ${PATH}`]: () => LIVE,
  [`GET /platform/workspaces/${SANDBOX.id}`]: () => SANDBOX,
};
const buttons = () => ({
  exports: screen.queryByRole('button', { name: 'Export all data' }) !== null,
  deletes: screen.queryByRole('button', { name: 'Delete workspace' }) !== null,
});

test.each([
  ['owner', false, { exports: true, deletes: true }],
  ['admin', false, { exports: true, deletes: false }],
  ['member', false, { exports: false, deletes: false }],
  ['viewer', false, { exports: false, deletes: false }],
  ['viewer', true, { exports: true, deletes: true }],
] as const)('role %s, operator %s: %o', async (role, operator, expected) => {
  serve(read);
  show(<WorkspaceSettings />, { role, operator });
  await screen.findByRole('heading', { name: 'Details' });
  expect(buttons()).toEqual(expected);
});

test('a sandbox offers no export and no deletion, and links to its live workspace', async () => {
  serve(read);
  const go = vi.fn();
  show(<WorkspaceSettings />, { at: { workspace: SANDBOX, inSandbox: true, go } });
  expect(await screen.findByText(/This sandbox is deleted and restored together with “Acme”/)).toBeTruthy();
  expect(buttons()).toEqual({ exports: false, deletes: false });
  await userEvent.click(screen.getByRole('button', { name: 'Open the live workspace' }));
  expect(go).toHaveBeenCalledExactlyOnceWith(LIVE.id);
});

test('downloads the export with the token, and names the file by the workspace ID', async () => {
  const sent = vi.fn();
  serve({
    ...read,
    [EXPORT]: (_, request) => {
      sent(request.headers.get('Authorization'));
      return new Response('archive', { headers: { 'Content-Type': 'application/gzip' } });
    },
  });
  show(<WorkspaceSettings />, { role: 'admin' });
  expect(await screen.findByText(/contains personal data.*contains no secrets/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Export all data' }));
  expect(await screen.findByText('Downloaded ws_live.tar.gz.')).toBeTruthy();
  expect(sent).toHaveBeenCalledExactlyOnceWith('Bearer token');
  const [bytes, name] = vi.mocked(saveFile).mock.calls[0] ?? [];
  expect([bytes?.size, name]).toEqual(['archive'.length, 'ws_live.tar.gz']);
});

test('saves no file of an incomplete export, which can be repeated', async () => {
  let attempts = 0;
  serve({
    ...read,
    [EXPORT]: () => {
      attempts += 1;
      const cut = new ReadableStream({ start: (it) => it.error(new TypeError('terminated')) });
      return new Response(attempts === 1 ? cut : 'archive');
    },
  });
  show(<WorkspaceSettings />);
  await userEvent.click(await screen.findByRole('button', { name: 'Export all data' }));
  expect(await screen.findByText(/download stopped before the file was complete/)).toBeTruthy();
  expect(saveFile).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Export all data' }));
  expect(await screen.findByText('Downloaded ws_live.tar.gz.')).toBeTruthy();
});

test('shows the reason why the server rejects an export', async () => {
  serve({ ...read, [EXPORT]: () => problem(403, 'insufficient_role', 'Admins can export.') });
  show(<WorkspaceSettings />);
  await userEvent.click(await screen.findByRole('button', { name: 'Export all data' }));
  expect(await screen.findByText('Admins can export.')).toBeTruthy();
  expect(saveFile).not.toHaveBeenCalled();
});
