import { api } from '../api/client';
import type { components } from '../api/schema';
import { session } from '../app/session';

type ApiKey = components['schemas']['ApiKey'];

/** The lifetime of a key, in milliseconds. */
const LIFE = 24 * 3600 * 1000;
/** The number of earlier keys that are kept, because other tabs may use them. */
const KEPT = 3;

/** The keys that this tab created, by sandbox. They are stored nowhere else. */
const made = new Map<string, Promise<string>>();

// Keys of one user must not be shown to the next.
session.subscribe(() => {
  if (session.snapshot().state === 'out') made.clear();
});

/** The keys to revoke: expired ones, and all but the newest few. */
export function superfluous(keys: ApiKey[], name: string, now: number): ApiKey[] {
  const own = keys
    .filter((key) => key.name === name)
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
  return own.filter(
    (key, at) => at >= KEPT || (key.expires_at !== null && Date.parse(key.expires_at) <= now),
  );
}

/** The name of a key. It is the same in all languages, because the page finds its earlier keys by it. */
const keyName = (person: string) => `API docs, ${person}`.slice(0, 100);

async function make(sandbox: string, person: string): Promise<string> {
  const name = keyName(person);
  const path = { ws: sandbox };
  const { data } = await api.GET('/platform/workspaces/{ws}/api-keys', {
    params: { path, query: { limit: 100 } },
  });
  for (const { id } of superfluous(data, name, Date.now())) {
    await api.raw.DELETE('/platform/workspaces/{ws}/api-keys/{id}', { params: { path: { ...path, id } } });
  }
  const body = { name, scope: 'full' as const, expires_at: new Date(Date.now() + LIFE).toISOString() };
  return (await api.POST('/platform/workspaces/{ws}/api-keys', { params: { path }, body })).key;
}

/** Returns a test key for the page. It is created once for each sandbox and tab. */
export function pageKey(sandbox: string, person: string): Promise<string> {
  const known = made.get(sandbox);
  if (known) return known;
  const making = make(sandbox, person);
  made.set(sandbox, making);
  making.catch(() => made.delete(sandbox));
  return making;
}
