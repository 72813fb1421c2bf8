import type { components } from '../api/schema';

export type Workspace = components['schemas']['Workspace'];
export type UpdateWorkspace = components['schemas']['UpdateWorkspace'];

/** The members of a workspace that users edit. */
export type Draft = Pick<
  Workspace,
  'name' | 'time_zone' | 'default_country' | 'assign_on_reply' | 'plan' | 'opt_out_words'
>;
export type Field = keyof Draft;

export function draftOf(workspace: Draft): Draft {
  const { name, time_zone, default_country, assign_on_reply, plan, opt_out_words } = workspace;
  return { name, time_zone, default_country, assign_on_reply, plan, opt_out_words };
}
