import type { Workspace } from '../app/places';
import { LIVE } from '../settings/testing';
import type { Deletion } from './views';

/** 5 December 2026, 11:00 in the time zone of the browser. */
export const UNTIL = new Date(2026, 11, 5, 11).toISOString();

export const DELETED: Workspace = {
  ...LIVE,
  deleted_at: new Date(2026, 10, 5, 11).toISOString(),
  restore_until: UNTIL,
};

const few = (count: number) => ({ count, is_capped: false });

/** The result of a dry run. */
export const PREVIEW: Deletion = {
  workspace: DELETED,
  dry_run: true,
  restore_until: UNTIL,
  has_sandbox: true,
  counts: {
    contacts: few(1200),
    conversations: few(12),
    messages: { count: 10_000, is_capped: true },
    flows: few(3),
    sequences: few(2),
    broadcasts: few(1),
    webhooks: few(0),
    api_keys: few(4),
    members: few(5),
  },
};
