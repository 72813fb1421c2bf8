import type { Tree } from './keys';
import type { Language } from './language';

/** All groups of texts: one file in `en`, one in each other language, and so one chunk for each language. */
export interface Groups {
  'api-messages': typeof import('./en/api-messages').default;
  analytics: typeof import('./en/analytics').default;
  audit: typeof import('./en/audit').default;
  broadcasts: typeof import('./en/broadcasts').default;
  bulk: typeof import('./en/bulk').default;
  catalog: typeof import('./en/catalog').default;
  channels: typeof import('./en/channels').default;
  common: typeof import('./en/common').default;
  conditions: typeof import('./en/conditions').default;
  contact: typeof import('./en/contact').default;
  contacts: typeof import('./en/contacts').default;
  docs: typeof import('./en/docs').default;
  drafts: typeof import('./en/drafts').default;
  'event-types': typeof import('./en/event-types').default;
  events: typeof import('./en/events').default;
  findings: typeof import('./en/findings').default;
  'flow-editor': typeof import('./en/flow-editor').default;
  'flow-forms': typeof import('./en/flow-forms').default;
  'flow-runs': typeof import('./en/flow-runs').default;
  'flow-statistics': typeof import('./en/flow-statistics').default;
  flows: typeof import('./en/flows').default;
  forms: typeof import('./en/forms').default;
  home: typeof import('./en/home').default;
  imports: typeof import('./en/imports').default;
  inbox: typeof import('./en/inbox').default;
  jobs: typeof import('./en/jobs').default;
  keys: typeof import('./en/keys').default;
  login: typeof import('./en/login').default;
  members: typeof import('./en/members').default;
  navigation: typeof import('./en/navigation').default;
  outcomes: typeof import('./en/outcomes').default;
  problems: typeof import('./en/problems').default;
  'provider-templates': typeof import('./en/provider-templates').default;
  replies: typeof import('./en/replies').default;
  'reply-times': typeof import('./en/reply-times').default;
  sandbox: typeof import('./en/sandbox').default;
  search: typeof import('./en/search').default;
  secrets: typeof import('./en/secrets').default;
  segments: typeof import('./en/segments').default;
  sequences: typeof import('./en/sequences').default;
  settings: typeof import('./en/settings').default;
  shell: typeof import('./en/shell').default;
  simulation: typeof import('./en/simulation').default;
  storage: typeof import('./en/storage').default;
  usage: typeof import('./en/usage').default;
  webhooks: typeof import('./en/webhooks').default;
  work: typeof import('./en/work').default;
  'workspace-deletion': typeof import('./en/workspace-deletion').default;
}
export type Group = keyof Groups;

const files = import.meta.glob<{ default: Tree }>('./{en,de}/*.ts');

/** Loads the texts of a group in a language. */
export async function loadGroup(language: Language, group: Group): Promise<Tree> {
  const load = files[`./${language}/${group}.ts`];
  if (!load) throw new Error(`No texts of "${group}" in "${language}".`);
  return (await load()).default;
}
