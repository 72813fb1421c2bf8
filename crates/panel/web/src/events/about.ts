import type { FeedEvent } from './api';

/** The ID and the name of an event's object. */
export function aboutOf({ data }: Pick<FeedEvent, 'data'>): {
  id: string | undefined;
  name: string | undefined;
} {
  const object = (data as { object?: Record<string, unknown> }).object ?? {};
  const text = (name: string) => {
    const it = object[name];
    return typeof it === 'string' && it !== '' ? it : undefined;
  };
  return { id: text('id'), name: text('name') ?? text('text') ?? text('external_id') };
}
