import type { Webhook } from './api';

/** What people edit of a webhook. */
export type WebhookDraft = Pick<Webhook, 'url' | 'events' | 'description' | 'payload' | 'headers'>;

export function draftOf({ url, events, description, payload, headers }: WebhookDraft): WebhookDraft {
  return { url, events, description, payload, headers };
}

export const EMPTY: WebhookDraft = { url: '', events: [], description: null, payload: 'full', headers: {} };

/** One header as it stands in a form, where its name may still be empty. */
export interface Line {
  id: number;
  name: string;
  value: string;
}

/** The lines of a form for headers. */
export function linesOf(headers: Record<string, string>): Line[] {
  return Object.entries(headers).map(([name, value], id) => ({ id, name, value }));
}

/** The headers that lines mean: those with a name. */
export function headersOf(lines: Line[]): Record<string, string> {
  const named = lines.map(({ name, value }) => [name.trim(), value] as const);
  return Object.fromEntries(named.filter(([name]) => name !== ''));
}
