import type { Tree } from './keys';
import type { Language } from './language';

/** The texts of a converted group. A group without a default export is not converted yet: `texts` rejects its name. */
type Converted<Module> = Module extends { default: infer Texts } ? Texts : never;

/** All groups of texts: one file in `en`, one in each other language, and so one chunk for each language. */
export interface Groups {
  analytics: Converted<typeof import('./en/analytics')>;
  audit: Converted<typeof import('./en/audit')>;
  broadcasts: Converted<typeof import('./en/broadcasts')>;
  bulk: Converted<typeof import('./en/bulk')>;
  catalog: Converted<typeof import('./en/catalog')>;
  channels: Converted<typeof import('./en/channels')>;
  common: Converted<typeof import('./en/common')>;
  conditions: Converted<typeof import('./en/conditions')>;
  contact: Converted<typeof import('./en/contact')>;
  contacts: Converted<typeof import('./en/contacts')>;
  docs: Converted<typeof import('./en/docs')>;
  drafts: Converted<typeof import('./en/drafts')>;
  events: Converted<typeof import('./en/events')>;
  'flow-editor': Converted<typeof import('./en/flow-editor')>;
  'flow-forms': Converted<typeof import('./en/flow-forms')>;
  'flow-runs': Converted<typeof import('./en/flow-runs')>;
  'flow-statistics': Converted<typeof import('./en/flow-statistics')>;
  flows: Converted<typeof import('./en/flows')>;
  forms: Converted<typeof import('./en/forms')>;
  home: Converted<typeof import('./en/home')>;
  imports: Converted<typeof import('./en/imports')>;
  inbox: Converted<typeof import('./en/inbox')>;
  jobs: Converted<typeof import('./en/jobs')>;
  keys: Converted<typeof import('./en/keys')>;
  login: Converted<typeof import('./en/login')>;
  members: Converted<typeof import('./en/members')>;
  navigation: Converted<typeof import('./en/navigation')>;
  problems: Converted<typeof import('./en/problems')>;
  replies: Converted<typeof import('./en/replies')>;
  sandbox: Converted<typeof import('./en/sandbox')>;
  search: Converted<typeof import('./en/search')>;
  secrets: Converted<typeof import('./en/secrets')>;
  segments: Converted<typeof import('./en/segments')>;
  sequences: Converted<typeof import('./en/sequences')>;
  settings: Converted<typeof import('./en/settings')>;
  shell: Converted<typeof import('./en/shell')>;
  simulation: Converted<typeof import('./en/simulation')>;
  storage: Converted<typeof import('./en/storage')>;
  usage: Converted<typeof import('./en/usage')>;
  webhooks: Converted<typeof import('./en/webhooks')>;
  work: Converted<typeof import('./en/work')>;
  'workspace-deletion': Converted<typeof import('./en/workspace-deletion')>;
}
export type Group = keyof Groups;

/**
 * The files of converted groups. The others are not listed: a page imports them with its code, and a file that is
 * also loaded by its name would become a chunk of its own. When all are converted, the list is `./{en,de}/*.ts`.
 */
const files = import.meta.glob<{ default: Tree }>([
  './de/*.ts',
  './en/analytics.ts',
  './en/audit.ts',
  './en/broadcasts.ts',
  './en/catalog.ts',
  './en/bulk.ts',
  './en/channels.ts',
  './en/common.ts',
  './en/docs.ts',
  './en/conditions.ts',
  './en/contact.ts',
  './en/contacts.ts',
  './en/drafts.ts',
  './en/events.ts',
  './en/flow-editor.ts',
  './en/flow-runs.ts',
  './en/flow-statistics.ts',
  './en/flows.ts',
  './en/flow-forms.ts',
  './en/forms.ts',
  './en/home.ts',
  './en/imports.ts',
  './en/inbox.ts',
  './en/jobs.ts',
  './en/keys.ts',
  './en/login.ts',
  './en/members.ts',
  './en/navigation.ts',
  './en/problems.ts',
  './en/segments.ts',
  './en/replies.ts',
  './en/secrets.ts',
  './en/sandbox.ts',
  './en/sequences.ts',
  './en/search.ts',
  './en/settings.ts',
  './en/shell.ts',
  './en/storage.ts',
  './en/usage.ts',
  './en/work.ts',
  './en/webhooks.ts',
  './en/simulation.ts',
  './en/workspace-deletion.ts',
]);

/** Loads the texts of a group in a language. */
export async function loadGroup(language: Language, group: Group): Promise<Tree> {
  const load = files[`./${language}/${group}.ts`];
  if (!load) throw new Error(`No texts of "${group}" in "${language}".`);
  return (await load()).default;
}
