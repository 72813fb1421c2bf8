import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { NodeType } from './definition';
import { exitInWords } from './graph/exits';

const t = texts('flow-runs');
const forms = texts('flow-forms');
const conditions = texts('conditions');
const templates = texts('provider-templates');
const simulation = texts('simulation');

/** A part of the path of an attribute. */
export interface PathPart {
  text: string;
  /** Whether it is a name in the definition, because the forms have no label for it. */
  isName: boolean;
}

/** The exits that are members of a node. */
const EXITS = ['next', 'otherwise', 'on_timeout', 'on_invalid', 'on_error'];

/** Attributes with members that have no labels, such as the headers of a request. */
const FREE = ['headers', 'save', 'body', 'value', 'parameters', 'scripts'];

/** The labels of the forms by attribute. A name after a point has this label only below the name before it. */
const LABELS: Record<string, () => string> = {
  all: () => conditions('all'),
  any: () => conditions('any'),
  arms: () => t('versions.parts.branches'),
  'ask.message': () => forms('question'),
  'ask.save_to': () => forms('saveTo'),
  attachments: () => forms('attachments'),
  attempts: () => forms('attempts'),
  audience: () => forms('audience'),
  body: () => forms('body'),
  branches: () => t('versions.parts.branches'),
  channel_id: () => forms('channel'),
  channel_ids: () => forms('channels'),
  cron: () => forms('cron'),
  custom_event: () => forms('eventName'),
  'delay.for': () => forms('howLong'),
  'delay.until': () => forms('until'),
  event: () => forms('event'),
  expect: () => forms('expect'),
  expires_after: () => forms('expires'),
  fallback: () => templates('fallback'),
  field: () => forms('field'),
  filter: () => forms('filter'),
  flow_id: () => forms('flow'),
  headers: () => forms('headers'),
  invalid_message: () => forms('invalidMessage'),
  'invalid_message.type': () => forms('messageType'),
  keywords: () => forms('keywords'),
  match: () => forms('match'),
  message: () => forms('message'),
  'message.type': () => forms('messageType'),
  method: () => forms('method'),
  next: () => forms('nextStep'),
  op: () => conditions('operator'),
  operation: () => forms('operation'),
  options: () => forms('options'),
  'quick_replies.payload': () => forms('replyPayload'),
  'quick_replies.title': () => forms('replyTitle'),
  quick_replies: () => forms('quickReplies'),
  reentry: () => forms('reentry'),
  ref: () => forms('ref'),
  save: () => forms('save'),
  scripts: () => simulation('scripts'),
  sequence: () => forms('sequence'),
  'set_bot_field.field': () => forms('botField'),
  'set_field.field': () => forms('target'),
  settings: () => forms('settings'),
  start: () => t('versions.parts.start'),
  'start_flow.save_to': () => forms('saveRun'),
  tag: () => forms('tag'),
  template: () => templates('template'),
  'template.language': () => forms('language'),
  'template.name': () => forms('templateName'),
  'template.parameters': () => forms('templateParameters'),
  text: () => forms('text'),
  timeout: () => forms('timeout'),
  triggers: () => t('versions.parts.triggers'),
  'triggers.name': () => forms('eventName'),
  type: () => forms('type'),
  url: () => forms('url'),
  user_id: () => forms('member'),
  value: () => forms('value'),
  'wait_for_event.save_to': () => forms('saveEvent'),
  weight: () => forms('weight'),
  when: () => forms('condition'),
  window: () => forms('window'),
  'window.days': () => forms('days'),
  'window.from': () => forms('from'),
  'window.time_zone': () => forms('zone'),
  'window.to': () => forms('to'),
};

/**
 * The path of an attribute, such as `message.text`, with the labels of the forms. `type` is the type of the node, if
 * the attribute is in one.
 */
export function pathOf(attribute: string, type?: string): PathPart[] {
  const names = attribute.split('.');
  const [first = '', place, ...rest] = names;
  if (type !== undefined && EXITS.includes(first)) {
    return [labelled(forms('goesOn')), labelled(exitInWords(first, type as NodeType))];
  }
  if ((first === 'branches' || first === 'arms') && place !== undefined) {
    return [labelled(forms('branch', { number: Number(place) + 1 })), ...partsOf(rest, first)];
  }
  return partsOf(names, type ?? '');
}

/** The parts of a path below `above`. */
function partsOf([name, ...rest]: string[], above: string): PathPart[] {
  if (name === undefined) return [];
  if (/^\d+$/.test(name)) return [labelled(number(Number(name) + 1)), ...partsOf(rest, above)];
  const label = labelOf(`${above}.${name}`) ?? labelOf(name);
  const part = label === undefined ? named(name) : labelled(label);
  if (!FREE.includes(name)) return [part, ...partsOf(rest, name)];
  return rest.length > 0 ? [part, named(rest.join('.'))] : [part];
}

function labelOf(key: string): string | undefined {
  return Object.hasOwn(LABELS, key) ? LABELS[key]?.() : undefined;
}

const labelled = (text: string): PathPart => ({ text, isName: false });
const named = (text: string): PathPart => ({ text, isName: true });
