import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Role, Workspace } from '../app/places';
import { router as whole } from '../app/router';
import { session } from '../app/session';
import { type Answers, LIVE, problem, SANDBOX, serve } from '../settings/testing';
import { DELETED, PREVIEW, UNTIL } from './testing';

const OTHER: Workspace = { ...LIVE, id: 'ws_other', name: 'Other' };
const RESTORE = `POST /platform/workspaces/${LIVE.id}/restore`;

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse(UNTIL) - 1000);
});
afterEach(() => session.signOut());

/** The server, with the workspaces of one account. */
class Service {
  constructor(
    public workspaces: Workspace[],
    private readonly role: Role = 'owner',
    private readonly operator = false,
  ) {}

  readonly answers: Answers = {
    'POST /auth/refresh': () => ({ access_token: 'token', expires_in: 604_800 }),
    'POST /auth/login': () => ({ access_token: 'token', expires_in: 604_800 }),
    'POST /auth/logout': () => new Response(null, { status: 204 }),
    'GET /auth/me': () => ({
      user: { id: 'user_me', name: 'Ada', email: 'ada@acme.example', operator: this.operator },
      session: { id: 'sess_1' },
      memberships: this.workspaces.map((workspace) => ({ workspace, role: this.role })),
    }),
    'GET /api/v1/me': () => ({ requests_per_minute: 2500 }),
    [`GET /platform/workspaces/${LIVE.id}`]: () => this.read(LIVE.id),
    [`GET /platform/workspaces/${OTHER.id}`]: () => this.read(OTHER.id),
  };

  private read(id: string): unknown {
    const found = this.workspaces.find((it) => it.id === id);
    return found?.deleted_at ? problem(410, 'workspace_deleted', 'The workspace is deleted.') : found;
  }
}

/** Opens the panel at an address, as a user who signed in before. */
async function open(service: Service, path: string, more: Answers = {}) {
  const { asked } = serve({ ...service.answers, ...more });
  await session.restore();
  const router = createRouter({
    routeTree: whole.routeTree,
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { asked, router, client };
}

const SETTINGS = '/settings/workspace';
const heading = () => screen.findByRole('heading', { name: '“Acme” is deleted' });

test.each([LIVE.id, SANDBOX.id])(
  'shows the page of the deleted workspace at the address of %s',
  async (ws) => {
    const service = new Service([DELETED, { ...SANDBOX, deleted_at: DELETED.deleted_at }, OTHER]);
    const { asked } = await open(service, `${SETTINGS}?ws=${ws}`);
    expect(await heading()).toBe(document.activeElement);
    expect(screen.getByText('It can be restored until 5 December 2026, 11:00.')).toBeTruthy();
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(asked.filter((it) => !it.includes('/auth/'))).toEqual([]);
  },
);

test.each([
  ['member', false, false],
  ['admin', false, false],
  ['owner', false, true],
  ['viewer', true, true],
] as const)('role %s, operator %s: may restore is %s', async (role, operator, may) => {
  await open(new Service([DELETED], role, operator), SETTINGS);
  await heading();
  expect(screen.queryByRole('button', { name: 'Restore' }) !== null).toBe(may);
  expect(screen.queryByText('Ask an owner of the workspace to restore it.') !== null).toBe(!may);
  expect(screen.queryByRole('button', { name: 'Switch workspace' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
});

test('offers no restore after the deadline', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse(UNTIL) + 1000);
  await open(new Service([DELETED]), SETTINGS);
  await heading();
  expect(screen.getByText(/It could be restored until 5 December 2026, 11:00\./)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull();
});

test.each([
  ['Keep them waiting', 'hold'],
  ['Send late messages', 'send'],
])('a restore with “%s” sends %s, and returns to the workspace', async (choice, outbound) => {
  const service = new Service([DELETED]);
  const restore = vi.fn((body: unknown) => {
    service.workspaces = [{ ...LIVE, outbound: (body as { outbound: 'hold' }).outbound }];
    return service.workspaces[0];
  });
  await open(service, SETTINGS, { [RESTORE]: restore });
  await heading();
  expect((screen.getByRole('radio', { name: /Keep them waiting/ }) as HTMLElement).ariaChecked).toBe('true');
  await userEvent.click(screen.getByRole('radio', { name: new RegExp(choice) }));
  await userEvent.dblClick(screen.getByRole('button', { name: 'Restore' }));
  expect(await screen.findByRole('heading', { name: 'Workspace' })).toBeTruthy();
  expect(restore.mock.calls.map(([body]) => body)).toEqual([{ outbound }]);
});

test('shows an error of the restore, which can be repeated', async () => {
  const restore = vi.fn(() => problem(403, 'insufficient_role', 'Only owners can restore a workspace.'));
  await open(new Service([DELETED]), SETTINGS, { [RESTORE]: restore });
  await userEvent.click(await screen.findByRole('button', { name: 'Restore' }));
  expect(await screen.findByText('Only owners can restore a workspace.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Restore' }));
  await waitFor(() => expect(restore).toHaveBeenCalledTimes(2));
});

test('an open page shows the deletion after a request reports it', async () => {
  const service = new Service([LIVE]);
  const { client } = await open(service, SETTINGS);
  await screen.findByRole('heading', { name: 'Details' });
  service.workspaces = [DELETED];
  void client.invalidateQueries({ queryKey: ['workspace', LIVE.id] });
  await heading();
});

test('shows the page of the deleted workspace after a deletion', async () => {
  const service = new Service([LIVE, OTHER]);
  const { router } = await open(service, `${SETTINGS}?ws=${LIVE.id}`, {
    [`DELETE /platform/workspaces/${LIVE.id}`]: (_, request) => {
      const isDryRun = request.url.endsWith('dry_run=true');
      if (!isDryRun) service.workspaces = [DELETED, OTHER];
      return { ...PREVIEW, dry_run: isDryRun };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete workspace' }));
  await userEvent.type(await screen.findByRole('textbox', { name: /Type the name/ }), 'Acme{Enter}');
  await heading();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(router.state.location.search).toMatchObject({ ws: LIVE.id });
});

test('offers other workspaces, and marks the deleted one in the switcher', async () => {
  const service = new Service([DELETED, OTHER]);
  const { router } = await open(service, `${SETTINGS}?ws=${LIVE.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Switch workspace' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /Other/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Other: Choose a workspace' }));
  const items = (await screen.findAllByRole('menuitem')).map((it) => it.textContent);
  expect(items).toContain('Acmeownerdeleted, restore until 5 December 2026, 11:00');
  expect(items).toContain('Otherowner');
  await userEvent.click(screen.getByRole('menuitem', { name: /Acme/ }));
  await heading();
  expect(router.state.location.search).toMatchObject({ ws: LIVE.id });
});

test('shows another workspace without an address, also if the deleted one was used last', async () => {
  localStorage.setItem('tidings-workspace', LIVE.id);
  const { router } = await open(new Service([DELETED, OTHER]), SETTINGS);
  expect(await screen.findByRole('button', { name: 'Other: Choose a workspace' })).toBeTruthy();
  expect(router.state.location.search).toMatchObject({ ws: OTHER.id });
});

test('a new sign-in after the page of a deleted workspace shows another workspace', async () => {
  const { router } = await open(new Service([DELETED, OTHER]), `${SETTINGS}?ws=${LIVE.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(router.state.location.href).toBe('/login'));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Email' }), 'ada@acme.example');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('button', { name: 'Other: Choose a workspace' })).toBeTruthy();
});
