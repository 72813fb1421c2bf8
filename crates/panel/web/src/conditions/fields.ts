import type { components } from '../api/schema';
import { texts } from '../i18n/texts';
import type { Kind } from './grammar';
import { isUntyped, type Kinds } from './values';

const t = texts('conditions');

type Schemas = components['schemas'];

export interface Option {
  value: string;
  label: string;
}

export interface Field {
  /** The name in the grammar: `custom_fields.plan`. */
  name: string;
  label: string;
  group: string;
  kind: Kind;
  options?: Option[];
  /** Creates an option with a label. Absent if the options are not created in conditions. */
  create?: (label: string) => Promise<Option>;
}

/** The objects of a workspace that add fields and options. */
export interface Vocabulary {
  tags: Schemas['Tag'][];
  customFields: Schemas['CustomField'][];
  botFields: Schemas['BotField'][];
  channels: Schemas['Channel'][];
}

export const NOTHING: Vocabulary = { tags: [], customFields: [], botFields: [], channels: [] };

const KINDS: Record<Schemas['FieldType'], Kind> = {
  text: 'text',
  email: 'text',
  phone: 'text',
  url: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  select: 'choice',
  multi_select: 'options',
};

const same = (options: readonly string[]): Option[] => options.map((it) => ({ value: it, label: it }));

const CONTACT = [
  ['first_name', 'text'],
  ['last_name', 'text'],
  ['name', 'text'],
  ['email', 'text'],
  ['phone', 'text'],
  ['external_id', 'text'],
  ['locale', 'text'],
  ['time_zone', 'text'],
  ['avatar_url', 'presence'],
  ['status', 'choice'],
  ['subscribed', 'boolean'],
  ['last_message_at', 'datetime'],
  ['created_at', 'datetime'],
  ['updated_at', 'datetime'],
  ['id', 'id'],
] as const satisfies [string, Kind][];

const CONVERSATION = [
  ['status', 'choice'],
  ['handler', 'choice'],
  ['assignee_id', 'id'],
  ['unread_count', 'number'],
  ['reopen_count', 'number'],
  ['waiting_since', 'datetime'],
  ['first_reply_at', 'datetime'],
  ['resolved_at', 'datetime'],
  ['snoozed_until', 'datetime'],
  ['last_message_at', 'datetime'],
  ['created_at', 'datetime'],
] as const satisfies [string, Kind][];

/** The options of fields with a fixed list, by field name. */
function fixedOptions(): Record<string, Option[] | undefined> {
  const named = <V extends string>(values: readonly V[], label: (value: V) => string): Option[] =>
    values.map((value) => ({ value, label: label(value) }));
  return {
    status: named(['active', 'blocked'], (it) => t(`statuses.${it}`)),
    'conversation.status': named(['open', 'pending', 'snoozed', 'resolved'], (it) => t(`statuses.${it}`)),
    'conversation.handler': named(['bot', 'ai', 'human'], (it) => t(`handlers.${it}`)),
  };
}

/** All fields that a condition can use in a workspace, in the order of the list. */
export function fieldsOf({ tags, customFields, botFields, channels }: Vocabulary): Field[] {
  const fixed = fixedOptions();
  const contact = CONTACT.map(([name, kind]) => ({
    name,
    label: t(`attributeNames.${name}`),
    kind,
    options: fixed[name],
    group: t('contact'),
  }));
  const conversation = CONVERSATION.map(([name, kind]) => ({
    name: `conversation.${name}`,
    label: t(`conversation.${name}`),
    kind,
    options: fixed[`conversation.${name}`],
    group: t('groups.conversation'),
  }));
  return [
    ...contact,
    {
      name: 'tags',
      label: t('attributeNames.tags'),
      kind: 'tags',
      group: t('contact'),
      options: tags.map(({ id, name }) => ({ value: id, label: name })),
    },
    ...customFields.map(({ key, name, type, options }) => ({
      name: `custom_fields.${key}`,
      label: name,
      kind: KINDS[type],
      group: t('customFields'),
      options: options.length > 0 ? same(options) : undefined,
    })),
    ...conversation,
    {
      name: 'conversation.channel_id',
      label: t('conversation.channel_id'),
      kind: 'choice',
      group: t('groups.conversation'),
      options: channels.map(({ id, name }) => ({ value: id, label: name })),
    },
    ...botFields.map(({ key, name, type }) => ({
      name: `bot_fields.${key}`,
      label: name,
      kind: KINDS[type],
      group: t('groups.botFields'),
    })),
  ];
}

/**
 * Returns the type of a field by its name. Variables of a flow are untyped, and a deleted field counts as
 * text.
 */
export function kindsOf(fields: Field[]): Kinds {
  const kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
  return (name) => kinds.get(name) ?? (isUntyped(name) ? 'any' : 'text');
}

/** The option for a value. Tags are named by ID or by name, ignoring case. */
export function optionOf(options: Option[], value: string): Option | undefined {
  const folded = value.toLowerCase();
  return options.find((it) => it.value === value) ?? options.find((it) => it.label.toLowerCase() === folded);
}
