import type { Webhook } from './api';

/** The members of a webhook that users edit. */
export type WebhookDraft = Pick<Webhook, 'url' | 'events' | 'description' | 'payload' | 'headers'>;

export function draftOf({ url, events, description, payload, headers }: WebhookDraft): WebhookDraft {
  return { url, events, description, payload, headers };
}

export const EMPTY: WebhookDraft = { url: '', events: [], description: null, payload: 'full', headers: {} };

/** A header in the form. Its name may be empty. */
export interface Line {
  id: number;
  name: string;
  value: string;
}

/** The lines of the form for some headers. */
export function linesOf(headers: Record<string, string>): Line[] {
  return Object.entries(headers).map(([name, value], id) => ({ id, name, value }));
}

/** The headers of the lines that have a name. */
export function headersOf(lines: Line[]): Record<string, string> {
  const named = lines.map(({ name, value }) => [name.trim(), value] as const);
  return Object.fromEntries(named.filter(([name]) => name !== ''));
}
