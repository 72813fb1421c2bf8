import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { vi } from 'vitest';
import { type Where, WhereContext } from '../app/here';
import type { Role, Workspace } from '../app/places';
import { type Session, session } from '../app/session';

export const LIVE: Workspace = {
  id: 'ws_live',
  name: 'Acme',
  plan: 'pro',
  time_zone: 'UTC',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  version: 1,
  live_workspace_id: null,
  outbound: 'send',
  opt_out_words: [],
  assign_on_reply: true,
  default_country: null,
  deleted_at: null,
  restore_until: null,
};
export const SANDBOX: Workspace = {
  ...LIVE,
  id: 'ws_box',
  name: 'Acme (sandbox)',
  live_workspace_id: LIVE.id,
};

/** The responses of the server by method and path. An answer is a body or a response. */
export type Answers = Record<string, (body: unknown, request: Request) => unknown>;

/** Replaces the server and records the requests. */
export function serve(answers: Answers): { asked: string[] } {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request =
      input instanceof Request ? input : new Request(new URL(String(input), window.location.origin), init);
    const name = `${request.method} ${new URL(request.url).pathname}`;
    asked.push(name);
    const text = request.method === 'GET' ? '' : await request.text();
    const isTable = request.headers.get('Content-Type')?.startsWith('text/csv');
    const answer = answers[name]?.(isTable ? text : text ? JSON.parse(text) : undefined, request);
    if (answer === undefined) return problem(404, 'not_found', `There is no ${name}.`);
    return answer instanceof Response ? answer : Response.json(answer);
  });
  return { asked };
}

export function problem(status: number, code: string, detail: string, errors?: unknown[]): Response {
  return Response.json({ status, code, detail, errors }, { status });
}

/** The responses of lists without objects, by the last part of their paths. */
export function emptyLists(...names: string[]): Answers {
  const empty = () => ({ data: [], next_cursor: null, total: 0, total_is_capped: false });
  return Object.fromEntries(names.map((it) => [`GET /api/v1/${it}`, empty]));
}

interface Seen {
  role?: Role;
  path?: string;
  operator?: boolean;
  signedIn?: boolean;
  /** The route of the page, if it reads path parameters. */
  route?: string;
  /** Overrides the live workspace. */
  at?: Partial<Where>;
}

/** Renders a page for a signed-in user in the live workspace. */
export function show(
  ui: React.ReactNode,
  { role = 'owner', path = '/', operator = false, signedIn = true, route, at }: Seen = {},
) {
  const current: Session = signedIn
    ? {
        state: 'in',
        account: {
          user: {
            id: 'user_me',
            email: 'ada@acme.example',
            name: 'Ada',
            language: null,
            operator,
            created_at: LIVE.created_at,
            updated_at: LIVE.updated_at,
            version: 1,
          },
          session: { id: 'sess_1', created_at: LIVE.created_at, expires_at: LIVE.created_at },
          memberships: [
            { workspace: LIVE, role },
            { workspace: SANDBOX, role },
          ],
        },
      }
    : { state: 'out' };
  vi.spyOn(session, 'snapshot').mockReturnValue(current);
  vi.spyOn(session, 'accessToken').mockResolvedValue('token');
  vi.spyOn(session, 'reload').mockResolvedValue();
  const where = {
    live: LIVE,
    sandbox: SANDBOX,
    workspace: LIVE,
    inSandbox: false,
    role,
    administers: role === 'owner' || role === 'admin',
    go: () => undefined,
    ...at,
  };
  const root = createRootRoute({ component: Outlet });
  const home = route ?? (path.startsWith('/join/') ? '/join/$token' : '/');
  const routes = [...new Set(['/', '/join/$token', '/login', home])].map((at) =>
    createRoute({ getParentRoute: () => root, path: at, component: () => (at === home ? ui : null) }),
  );
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <MantineProvider env="test" withCssVariables={false}>
      <QueryClientProvider client={client}>
        <WhereContext value={where}>
          <RouterProvider router={router as never} />
        </WhereContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { router };
}
