import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { session } from '../app/session';
import { LIVE, problem, serve, show } from '../settings/testing';
import { WorkspaceSettings } from '../settings/workspace';
import { DELETED, PREVIEW } from './testing';

const PATH = `/platform/workspaces/${LIVE.id}`;
const WRONG_NAME = [{ pointer: '/name', code: 'name_mismatch', message: 'is not the name of the workspace' }];
type Answer = (body: unknown) => unknown;

/** Answers the dry run with `preview`, and the deletion with `remove`. */
function answer(remove: Answer, { preview = () => PREVIEW, workspace = () => LIVE as object } = {}) {
  const dryRuns = vi.fn<Answer>(preview);
  serve({
    'GET /api/v1/me': () => ({ requests_per_minute: 2500 }),
    [`GET ${PATH}`]: workspace,
    [`DELETE ${PATH}`]: (body, request) => {
      const isDryRun = new URL(request.url).searchParams.get('dry_run');
      return isDryRun === 'true' ? dryRuns(body) : isDryRun === 'false' ? remove(body) : undefined;
    },
  });
  show(<WorkspaceSettings />);
  return dryRuns;
}

async function open() {
  await userEvent.click(await screen.findByRole('button', { name: 'Delete workspace' }));
  return within(await screen.findByRole('dialog', { name: /^Delete “/ }));
}

test('the dialog shows the numbers of the dry run, and until when the workspace can be restored', async () => {
  const remove = vi.fn();
  const dryRuns = answer(remove);
  const dialog = await open();
  expect(
    await dialog.findByText(/You can restore the workspace until 5 December 2026, 11:00\./),
  ).toBeTruthy();
  const rows = dialog.getAllByRole('term').map((it) => it.parentElement?.textContent);
  expect(rows).toEqual([
    'Contacts1,200',
    'Conversations12',
    'Messages10,000+',
    'Flows3',
    'Sequences2',
    'Broadcasts1',
    'Webhooks0',
    'API keys4',
    'Members5',
  ]);
  expect(dialog.getByText(/Its sandbox is deleted too/)).toBeTruthy();
  expect(dryRuns).toHaveBeenCalledExactlyOnceWith({ name: 'Acme' });
  expect(remove).not.toHaveBeenCalled();
});

test('does not mention a sandbox if the workspace has none', async () => {
  answer(vi.fn(), { preview: () => ({ ...PREVIEW, has_sandbox: false }) });
  const dialog = await open();
  await dialog.findByText(/You can restore the workspace until/);
  expect(dialog.queryByText(/sandbox/)).toBeNull();
});

test('the button is disabled until the name matches exactly, and Enter does nothing before', async () => {
  const remove = vi.fn(() => ({ ...PREVIEW, dry_run: false }));
  answer(remove);
  const dialog = await open();
  const name = await dialog.findByRole('textbox');
  const button = dialog.getByRole('button', { name: 'Delete workspace' }) as HTMLButtonElement;
  for (const wrong of ['acme', 'Acme ', 'Acm']) {
    await userEvent.clear(name);
    await userEvent.type(name, `${wrong}{Enter}`);
    expect(button.disabled).toBe(true);
  }
  await userEvent.type(name, 'e');
  expect(button.disabled).toBe(false);
  expect(remove).not.toHaveBeenCalled();
});

test('two clicks send one request, and the account is read again', async () => {
  const remove = vi.fn(() => ({ ...PREVIEW, dry_run: false }));
  answer(remove);
  const dialog = await open();
  await userEvent.type(await dialog.findByRole('textbox'), 'Acme');
  const button = dialog.getByRole('button', { name: 'Delete workspace' });
  fireEvent.click(button);
  fireEvent.click(button);
  await waitFor(() => expect(session.reload).toHaveBeenCalledTimes(1));
  expect(remove).toHaveBeenCalledExactlyOnceWith({ name: 'Acme' });
});

test('a running deletion cannot be closed', async () => {
  let finish: () => void = () => undefined;
  const body = new ReadableStream({
    start: (it) => {
      finish = () => it.close();
    },
  });
  answer(() => new Response(body));
  const dialog = await open();
  await userEvent.type(await dialog.findByRole('textbox'), 'Acme{Enter}');
  const cancel = dialog.getByRole('button', { name: 'Cancel' }) as HTMLButtonElement;
  await waitFor(() => expect(cancel.disabled).toBe(true));
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('dialog', { name: 'Delete “Acme”?' })).toBeTruthy();
  finish();
});

test('shows an error, and the deletion can be repeated', async () => {
  const refuse = () => problem(403, 'insufficient_role', 'Only owners can delete a workspace.');
  const remove = vi.fn(refuse);
  answer(remove);
  const dialog = await open();
  await userEvent.type(await dialog.findByRole('textbox'), 'Acme{Enter}');
  expect(await dialog.findByText('Only owners can delete a workspace.')).toBeTruthy();
  expect(session.reload).not.toHaveBeenCalled();
  await userEvent.click(dialog.getByRole('button', { name: 'Delete workspace' }));
  await waitFor(() => expect(remove).toHaveBeenCalledTimes(2));
});

test('reports a name that the server rejects at its field', async () => {
  answer(() => problem(422, 'validation_failed', 'Wrong.', WRONG_NAME));
  const dialog = await open();
  await userEvent.type(await dialog.findByRole('textbox'), 'Acme{Enter}');
  expect(await dialog.findByText('Is not the name of the workspace.')).toBeTruthy();
});

test('shows the new name after another user changed it, and requires it', async () => {
  let name = 'Acme';
  const remove = vi.fn(() => ({ ...PREVIEW, dry_run: false }));
  answer(remove, {
    workspace: () => ({ ...LIVE, name }),
    preview: (...[body]: unknown[]) =>
      (body as { name: string }).name === name
        ? PREVIEW
        : (problem(422, 'validation_failed', 'Wrong.', WRONG_NAME) as never),
  });
  await screen.findByRole('button', { name: 'Delete workspace' });
  name = 'Acme AG';
  const dialog = await open();
  expect(await dialog.findByText('Another user changed the name of the workspace.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  await userEvent.type(await dialog.findByRole('textbox'), 'Acme AG{Enter}');
  await waitFor(() => expect(remove).toHaveBeenCalledExactlyOnceWith({ name: 'Acme AG' }));
});

test('a dry run that fails can be repeated', async () => {
  let isAway = true;
  answer(vi.fn(), { preview: () => (isAway ? (problem(500, 'internal', 'It failed.') as never) : PREVIEW) });
  const dialog = await open();
  expect(await dialog.findByText('It failed.')).toBeTruthy();
  expect(dialog.queryByRole('textbox')).toBeNull();
  isAway = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await dialog.findByRole('textbox')).toBeTruthy();
});

test('closes without a question after a name was typed', async () => {
  answer(vi.fn());
  const dialog = await open();
  await userEvent.type(await dialog.findByRole('textbox'), 'Acm');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('reads the account again if the workspace is already deleted', async () => {
  answer(vi.fn(), {
    preview: () =>
      Response.json(
        { status: 410, code: 'workspace_deleted', detail: 'Deleted.', restore_until: DELETED.restore_until },
        { status: 410 },
      ) as never,
  });
  await open();
  await waitFor(() => expect(session.reload).toHaveBeenCalledTimes(1));
});
