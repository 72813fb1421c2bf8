import type { components } from '../api/schema';
import type { Kind } from './grammar';
import { isUntyped, type Kinds } from './values';

type Schemas = components['schemas'];

export interface Option {
  value: string;
  label: string;
}

/** A field that a condition may speak of. */
export interface Field {
  /** As the grammar has it: `custom_fields.plan`. */
  name: string;
  label: string;
  group: string;
  kind: Kind;
  /** What there is to choose from. */
  options?: Option[];
}

/** What a workspace has beside what every contact has. */
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

const CONTACT: [string, string, Kind, Option[]?][] = [
  ['first_name', 'First name', 'text'],
  ['last_name', 'Last name', 'text'],
  ['name', 'Name', 'text'],
  ['email', 'E-mail', 'text'],
  ['phone', 'Phone', 'text'],
  ['external_id', 'External id', 'text'],
  ['locale', 'Language', 'text'],
  ['time_zone', 'Time zone', 'text'],
  ['avatar_url', 'Picture', 'presence'],
  ['status', 'Status', 'choice', same(['active', 'blocked'])],
  ['subscribed', 'Subscribed', 'boolean'],
  ['last_message_at', 'Last message', 'datetime'],
  ['created_at', 'Created', 'datetime'],
  ['updated_at', 'Changed', 'datetime'],
  ['id', 'Id', 'id'],
];

const CONVERSATION: [string, string, Kind, Option[]?][] = [
  ['status', 'Status', 'choice', same(['open', 'pending', 'snoozed', 'resolved'])],
  ['handler', 'Handled by', 'choice', same(['bot', 'ai', 'human'])],
  ['assignee_id', 'Assigned to', 'id'],
  ['unread_count', 'Unread messages', 'number'],
  ['reopen_count', 'Times reopened', 'number'],
  ['waiting_since', 'Waiting since', 'datetime'],
  ['first_reply_at', 'First reply', 'datetime'],
  ['resolved_at', 'Resolved', 'datetime'],
  ['snoozed_until', 'Snoozed until', 'datetime'],
  ['last_message_at', 'Last message', 'datetime'],
  ['created_at', 'Begun', 'datetime'],
];

/** All that a condition may speak of in a workspace, in the order in which it is offered. */
export function fieldsOf({ tags, customFields, botFields, channels }: Vocabulary): Field[] {
  const contact = CONTACT.map(([name, label, kind, options]) => ({
    name,
    label,
    kind,
    options,
    group: 'Contact',
  }));
  const conversation = CONVERSATION.map(([name, label, kind, options]) => ({
    name: `conversation.${name}`,
    label,
    kind,
    options,
    group: 'Any conversation',
  }));
  return [
    ...contact,
    {
      name: 'tags',
      label: 'Tags',
      kind: 'tags',
      group: 'Contact',
      options: tags.map(({ id, name }) => ({ value: id, label: name })),
    },
    ...customFields.map(({ key, name, type, options }) => ({
      name: `custom_fields.${key}`,
      label: name,
      kind: KINDS[type],
      group: 'Custom fields',
      options: options.length > 0 ? same(options) : undefined,
    })),
    ...conversation,
    {
      name: 'conversation.channel_id',
      label: 'Channel',
      kind: 'choice',
      group: 'Any conversation',
      options: channels.map(({ id, name }) => ({ value: id, label: name })),
    },
    ...botFields.map(({ key, name, type }) => ({
      name: `bot_fields.${key}`,
      label: name,
      kind: KINDS[type],
      group: 'Bot fields',
    })),
  ];
}

/** The types of fields by their names. Variables of a flow have none; a field that is gone counts as text. */
export function kindsOf(fields: Field[]): Kinds {
  const kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
  return (name) => kinds.get(name) ?? (isUntyped(name) ? 'any' : 'text');
}

/** The option that a value means: tags are named by id or by name, whatever their case. */
export function optionOf(options: Option[], value: string): Option | undefined {
  const folded = value.toLowerCase();
  return options.find((it) => it.value === value) ?? options.find((it) => it.label.toLowerCase() === folded);
}
