import { NumberInput, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { texts } from '../i18n/texts';
import type { ChannelKind } from './api';

const t = texts('channels');

/** A member of a configuration, in the JSON Schema of its type. */
export interface Member {
  type: 'string' | 'integer' | 'boolean';
  title?: string;
  description?: string;
  format?: string;
  enum?: string[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
}

/** The JSON Schema of `config` or `secrets`, as the server returns it. */
export interface ConfigSchema {
  properties?: Record<string, Member>;
  required?: string[];
}

export type ConfigValues = Record<string, string | number | boolean>;

type Translated =
  | 'url'
  | 'botToken'
  | 'botApi'
  | 'phoneNumberId'
  | 'wabaId'
  | 'graphVersion'
  | 'perSecond'
  | 'graphApi'
  | 'accessToken'
  | 'appSecret'
  | 'pin';

/** Members with translated texts. Other members use the title and the description of the schema. */
const TRANSLATED: Partial<Record<string, { label: Translated; hint: `${Translated}Hint` }>> = {
  'http.url': { label: 'url', hint: 'urlHint' },
  'telegram.bot_token': { label: 'botToken', hint: 'botTokenHint' },
  'telegram.base_url': { label: 'botApi', hint: 'botApiHint' },
  'whatsapp.phone_number_id': { label: 'phoneNumberId', hint: 'phoneNumberIdHint' },
  'whatsapp.waba_id': { label: 'wabaId', hint: 'wabaIdHint' },
  'whatsapp.graph_version': { label: 'graphVersion', hint: 'graphVersionHint' },
  'whatsapp.messages_per_second': { label: 'perSecond', hint: 'perSecondHint' },
  'whatsapp.base_url': { label: 'graphApi', hint: 'graphApiHint' },
  'whatsapp.access_token': { label: 'accessToken', hint: 'accessTokenHint' },
  'whatsapp.app_secret': { label: 'appSecret', hint: 'appSecretHint' },
  'whatsapp.pin': { label: 'pin', hint: 'pinHint' },
};

export function isComplete({ required = [] }: ConfigSchema, values: ConfigValues) {
  return required.every((name) => String(values[name] ?? '').trim() !== '');
}

/** The values, with texts trimmed and empty values removed. */
export function written(values: ConfigValues): ConfigValues {
  const trimmed = Object.entries(values).map(
    ([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const,
  );
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}

interface Props {
  kind: ChannelKind;
  schema: ConfigSchema;
  values: ConfigValues;
  faults: Record<string, string>;
  /** Whether the values are secrets. */
  hidden?: boolean;
  onChange: (values: ConfigValues) => void;
}

/** A field for each member of a schema. A member with only one possible value has none. */
export function ConfigForm({ kind, schema, values, faults, hidden = false, onChange }: Props) {
  const members = Object.entries(schema.properties ?? {});
  const open = members.filter(([, member]) => member.enum?.length !== 1);
  return open.map(([name, member]) => {
    const own = TRANSLATED[`${kind}.${name}`];
    const common = {
      label: own ? t(own.label) : (member.title ?? name),
      description: own ? t(own.hint) : member.description,
      error: faults[name],
    };
    const set = (value: string | number | boolean) => onChange({ ...values, [name]: value });
    if (member.type === 'boolean') {
      return (
        <Switch
          key={name}
          {...common}
          checked={values[name] === true}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      );
    }
    if (member.type === 'integer') {
      return (
        <NumberInput
          key={name}
          {...common}
          allowDecimal={false}
          min={member.minimum}
          max={member.maximum}
          value={Number.isFinite(Number(values[name] ?? '')) ? (values[name] as number | '') : ''}
          onChange={set}
        />
      );
    }
    const value = String(values[name] ?? '');
    if (member.enum) {
      return (
        <Select
          key={name}
          {...common}
          data={member.enum}
          value={value || null}
          onChange={(it) => set(it ?? '')}
        />
      );
    }
    const Input = hidden ? PasswordInput : TextInput;
    return (
      <Input
        key={name}
        {...common}
        type={hidden ? undefined : member.format === 'uri' ? 'url' : 'text'}
        placeholder={typeof member.examples?.[0] === 'string' ? member.examples[0] : undefined}
        maxLength={member.maxLength}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      />
    );
  });
}
