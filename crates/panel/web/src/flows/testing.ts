import type { Flow } from './api';

const AT = '2026-01-01T00:00:00.000Z';

/** A draft of a flow, with the given changes. */
export function flow(but: Partial<Flow> = {}): Flow {
  return {
    id: 'flow_1',
    name: 'Welcome',
    status: 'draft',
    version_published: null,
    has_unpublished_changes: true,
    definition: {
      triggers: [{ type: 'keyword', keywords: ['hi'] }],
      start: 'greet',
      nodes: [
        { id: 'greet', type: 'send_message', message: { type: 'text', text: 'Hello' }, next: 'end' },
        { id: 'end', type: 'end' },
      ],
    } as never,
    stats: { active: 0, waiting: 0, completed: 0, interrupted: 0, expired: 0, failed: 0 },
    created_at: AT,
    updated_at: AT,
    version: 1,
    ...but,
  };
}

/** A page of a list. */
export function page(...data: unknown[]) {
  return { data, next_cursor: null, total: data.length, total_is_capped: false };
}

/** A response with an `ETag`. */
export function tagged(body: object, etag: string): Response {
  return Response.json(body, { headers: { ETag: etag } });
}
