import { analytics, attention } from './en/analytics';
import { channels, inUse } from './en/channels';
import { docs } from './en/docs';
import { events } from './en/events';
import { flowEditor } from './en/flow-editor';
import { flowForms } from './en/flow-forms';
import { flowRuns, flowVersions } from './en/flow-runs';
import { flows } from './en/flows';
import { forms } from './en/forms';
import { home } from './en/home';
import { inbox } from './en/inbox';
import { jobs } from './en/jobs';
import { keys } from './en/keys';
import { login } from './en/login';
import { members } from './en/members';
import { sandbox } from './en/sandbox';
import { replies, secrets } from './en/secrets';
import { inspect, profile, workspace } from './en/settings';
import { common, shell } from './en/shell';
import { simulation } from './en/simulation';
import { usage } from './en/usage';
import { webhooks } from './en/webhooks';

/**
 * Every text of the panel. Another language is another object of this shape. What the first load shows
 * takes its texts from their own files, so that it does not wait for those of all pages.
 */
export const en = {
  common,
  shell,
  flowEditor,
  flowForms,
  home,
  inbox,
  login,
  keys,
  docs,
  usage,
  sandbox,
  members,
  workspace,
  profile,
  inspect,
  forms,
  flows,
  flowRuns,
  flowVersions,
  webhooks,
  simulation,
  events,
  jobs,
  channels,
  inUse,
  secrets,
  replies,
  analytics,
  attention,
};
