import type { QueryClient } from '@tanstack/react-query';
import { api, inWorkspace, value } from '../api/client';
import { Problem, sentence } from '../api/problem';
import { type Contact, patchRows } from './api';
import type { Outcome } from './bulk';

/** What is done to the chosen contacts: how many at once, and the requests. */
export interface Action {
  size: number;
  atOnce: number;
  act: (ids: string[]) => Promise<Outcome>;
}

/** Deletes them, a batch at a time; who is gone already is no failure. */
export function deletion(client: QueryClient, ws: string): Action {
  return {
    size: 50,
    atOnce: 1,
    act: async (ids) => {
      const { outcomes } = await value(
        api.POST('/api/v1/contacts/batch', {
          headers: inWorkspace(ws),
          body: { operations: ids.map((id) => ({ action: 'delete' as const, id })) },
        }),
      );
      const wrong = (at: number) => {
        const it = outcomes[at];
        if (!it || it.status < 300 || it.status === 404) return undefined;
        const detail = (it.problem as { detail?: string } | null)?.detail;
        return sentence(detail ?? String(it.status));
      };
      const outcome = Object.fromEntries(ids.map((id, at) => [id, wrong(at)]));
      patchRows(client, ws, (row) => (row.id in outcome && !outcome[row.id] ? undefined : row));
      return outcome;
    },
  };
}

/** Puts a tag on them. A batch changes no tags, so it is a request for each. */
export function tagging(client: QueryClient, ws: string, tag: { tag_id: string } | { name: string }): Action {
  return each(async (id) => {
    const tagged = await value(
      api.POST('/api/v1/contacts/{id}/tags', {
        params: { path: { id } },
        headers: inWorkspace(ws),
        body: tag,
      }),
    );
    patchRows(client, ws, (row) => (row.id === id ? (tagged as Contact) : row));
  });
}

/** Takes a tag off them; who does not carry it is no failure. */
export function untagging(client: QueryClient, ws: string, tagId: string): Action {
  return each(async (id) => {
    await value(
      api.DELETE('/api/v1/contacts/{id}/tags/{tag_id}', {
        params: { path: { id, tag_id: tagId } },
        headers: inWorkspace(ws),
      }),
    ).catch((error) => {
      if (!(error instanceof Problem && error.status === 404)) throw error;
    });
    patchRows(client, ws, (row) =>
      row.id === id ? { ...row, tags: row.tags.filter((it) => it.id !== tagId) } : row,
    );
  });
}

function each(act: (id: string) => Promise<void>): Action {
  return {
    size: 1,
    atOnce: 4,
    act: async (ids) => {
      for (const id of ids) await act(id);
      return Object.fromEntries(ids.map((id) => [id, undefined]));
    },
  };
}
