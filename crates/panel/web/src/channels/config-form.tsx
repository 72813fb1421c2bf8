import { Fieldset, Input, NumberInput, PasswordInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { faultsBelow } from '../api/problem';
import { texts } from '../i18n/texts';
import type { ChannelKind } from './api';

const t = texts('channels');

/** A member of a configuration, in the JSON Schema of its type. */
export interface Member extends ConfigSchema {
  type: 'string' | 'integer' | 'boolean' | 'object';
  title?: string;
  description?: string;
  format?: string;
  enum?: string[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
}

/** The JSON Schema of `config`, `secrets` or an object in them, as the server returns it. */
export interface ConfigSchema {
  properties?: Record<string, Member>;
  required?: string[];
}

type ConfigValue = string | number | boolean | ConfigValues;
export interface ConfigValues {
  [name: string]: ConfigValue;
}

/** Members with translated texts. Other members use the title and the description of the schema. */
const TRANSLATED = {
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
  'sms.account_sid': { label: 'accountSid', hint: 'accountSidHint' },
  'sms.from': { label: 'smsNumber', hint: 'smsNumberHint' },
  'sms.messaging_service_sid': { label: 'messagingService', hint: 'messagingServiceHint' },
  'sms.base_url': { label: 'twilioApi', hint: 'twilioApiHint' },
  'sms.auth_token': { label: 'authToken', hint: 'authTokenHint' },
  'sms.api_key': { label: 'apiKey', hint: 'apiKeyHint' },
  'sms.api_key.sid': { label: 'apiKeySid', hint: 'apiKeySidHint' },
  'sms.api_key.secret': { label: 'apiKeySecret', hint: 'apiKeySecretHint' },
  'email.from': { label: 'mailFrom', hint: 'mailFromHint' },
  'email.from.address': { label: 'mailAddress', hint: 'mailAddressHint' },
  'email.from.name': { label: 'mailName', hint: 'mailNameHint' },
  'email.smtp': { label: 'mailServer', hint: 'mailServerHint' },
  'email.smtp.host': { label: 'mailHost', hint: 'mailHostHint' },
  'email.smtp.port': { label: 'mailPort', hint: 'mailPortHint' },
  'email.smtp.tls': { label: 'mailTls', hint: 'mailTlsHint' },
  'email.inbound': { label: 'mailInbound', hint: 'mailInboundHint' },
  'email.inbound.auth': { label: 'mailAuth', hint: 'mailAuthHint' },
  'email.inbound.authserv_id': { label: 'mailAuthserv', hint: 'mailAuthservHint' },
  'email.signature': { label: 'mailSignature', hint: 'mailSignatureHint' },
  'email.smtp_user': { label: 'mailUser', hint: 'mailUserHint' },
  'email.smtp_password': { label: 'mailPassword', hint: 'mailPasswordHint' },
  'email.inbound_secret': { label: 'mailSecret', hint: 'mailSecretHint' },
} as const;

function translated(member: string) {
  return member in TRANSLATED ? TRANSLATED[member as keyof typeof TRANSLATED] : undefined;
}

/** The object at a name; empty if there is none. */
function objectAt(values: ConfigValues, name: string): ConfigValues {
  const value = values[name];
  return typeof value === 'object' ? value : {};
}

export function isComplete({ required = [], properties = {} }: ConfigSchema, values: ConfigValues): boolean {
  return Object.entries(properties).every(([name, member]) => {
    const isNeeded = required.includes(name);
    if (member.type === 'object') {
      const inner = objectAt(values, name);
      return (!isNeeded && Object.keys(written(inner)).length === 0) || isComplete(member, inner);
    }
    return !isNeeded || String(values[name] ?? '').trim() !== '';
  });
}

/** The values, with texts trimmed and empty values removed, also in objects. */
export function written(values: ConfigValues): ConfigValues {
  const trimmed = Object.entries(values).map(([name, value]) => {
    if (typeof value === 'object') return [name, written(value)] as const;
    return [name, typeof value === 'string' ? value.trim() : value] as const;
  });
  const isEmpty = (value: ConfigValue) =>
    value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.fromEntries(trimmed.filter(([, value]) => !isEmpty(value)));
}

interface Props {
  kind: ChannelKind;
  schema: ConfigSchema;
  values: ConfigValues;
  /** The error of the last request. */
  error: unknown;
  /** The place of the values in the request, such as `secrets` or `config/smtp`. */
  at: string;
  /** Whether the values are secrets. */
  hidden?: boolean;
  onChange: (values: ConfigValues) => void;
}

/** A field for each member of a schema. A member with only one possible value has none. */
export function ConfigForm({ kind, schema, values, error, at, hidden = false, onChange }: Props) {
  const faults = faultsBelow(error, at);
  const inside = at.split('/').slice(1);
  const members = Object.entries(schema.properties ?? {});
  const open = members.filter(([, member]) => member.enum?.length !== 1);
  return open.map(([name, member]) => {
    const own = translated([kind, ...inside, name].join('.'));
    const common = {
      label: own ? t(own.label) : (member.title ?? name),
      description: own ? t(own.hint) : member.description,
      error: faults[name],
    };
    const set = (value: ConfigValue) => onChange({ ...values, [name]: value });
    if (member.type === 'object') {
      const below = Object.keys(faultsBelow(error, `${at}/${name}`)).length > 0;
      return (
        <Fieldset key={name} legend={common.label}>
          <Stack gap="md">
            {common.description && <Input.Description>{common.description}</Input.Description>}
            <ConfigForm
              kind={kind}
              schema={member}
              values={objectAt(values, name)}
              error={error}
              at={`${at}/${name}`}
              hidden={hidden}
              onChange={set}
            />
            {common.error && !below && <Input.Error>{common.error}</Input.Error>}
          </Stack>
        </Fieldset>
      );
    }
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
    const Field = hidden ? PasswordInput : TextInput;
    return (
      <Field
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
