import type { components } from '../api/schema';

/** The result of a deletion, or of its dry run. */
export type Deletion = components['schemas']['WorkspaceDeletion'];

/** A type of objects that a deletion counts. */
export type Counted = keyof Deletion['counts'];

export type DeletionCount = components['schemas']['ObjectCount'];

/** `send` sends the messages that waited during the deletion, `hold` keeps them waiting. */
export type RestoredOutbound = components['schemas']['OutboundMode'];
