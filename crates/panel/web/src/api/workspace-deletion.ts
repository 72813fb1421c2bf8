import type { Client } from 'openapi-fetch';
import { api } from './client';
import type { components } from './schema';

// The document of the API does not describe these operations yet. Once the generated types contain them,
// `api` of `client.ts` replaces `deletionApi`, and the generated schemas replace the types below.

/** The fields of a workspace that report its deletion. Both are null if it is not deleted. */
export interface Deletable {
  deleted_at?: string | null;
  /** Until this time the workspace can be restored. */
  restore_until?: string | null;
}

export type DeletableWorkspace = components['schemas']['Workspace'] & Deletable;

/** A type of objects that a deletion counts. */
export type Counted =
  | 'contacts'
  | 'conversations'
  | 'messages'
  | 'flows'
  | 'sequences'
  | 'broadcasts'
  | 'webhooks'
  | 'api_keys'
  | 'members';

export interface DeletionCount {
  count: number;
  /** Whether there are more than `count`. */
  is_capped: boolean;
}

/** The result of a deletion, or of its dry run. */
export interface Deletion {
  workspace: DeletableWorkspace;
  dry_run: boolean;
  restore_until: string;
  has_sandbox: boolean;
  counts: Record<Counted, DeletionCount>;
}

/** `send` sends the messages that waited during the deletion, `hold` keeps them waiting. */
export type RestoredOutbound = components['schemas']['OutboundMode'];

interface Json<T> {
  content: { 'application/json': T };
}

interface OfWorkspace {
  path: { ws: string };
}

interface DeletionPaths {
  '/platform/workspaces/{ws}': {
    delete: {
      parameters: OfWorkspace & { query: { dry_run: boolean } };
      requestBody: Json<{ name: string }>;
      responses: { 200: Json<Deletion> };
    };
  };
  '/platform/workspaces/{ws}/restore': {
    post: {
      parameters: OfWorkspace;
      requestBody?: Json<{ outbound: RestoredOutbound }>;
      responses: { 200: Json<DeletableWorkspace> };
    };
  };
  '/platform/workspaces/{ws}/export': {
    get: {
      parameters: OfWorkspace;
      responses: { 200: { content: { 'application/gzip': string } } };
    };
  };
}

/** The client of the API, with the types of these operations. */
export const deletionApi = api as unknown as Client<DeletionPaths>;
