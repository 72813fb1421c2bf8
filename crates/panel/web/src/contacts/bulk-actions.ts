import type { QueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { sentence } from '../api/problem';
import { problemMessage } from '../i18n/problems';
import { patchRows } from './api';
import type { Going, Outcome } from './bulk';

/** An action on selected contacts, with its batch size. */
export interface Action {
  size: number;
  act: (ids: string[], going: Going) => Promise<Outcome>;
}

/** Deletes the contacts in batches. A contact that is already deleted is no error. */
export function deletion(client: QueryClient, ws: string): Action {
  return {
    size: 50,
    act: async (ids) => {
      const { outcomes } = await apiIn(ws).POST('/api/v1/contacts/batch', {
        body: { operations: ids.map((id) => ({ action: 'delete' as const, id })) },
      });
      const wrong = (at: number) => {
        const it = outcomes[at];
        if (!it || it.status < 300 || it.status === 404) return undefined;
        const { code = '', detail = String(it.status) } = (it.problem ?? {}) as {
          code?: string;
          detail?: string;
        };
        return sentence(problemMessage({ code, detail }));
      };
      const outcome = Object.fromEntries(ids.map((id, at) => [id, wrong(at)]));
      patchRows(client, ws, (row) => (row.id in outcome && !outcome[row.id] ? undefined : row));
      return outcome;
    },
  };
}
