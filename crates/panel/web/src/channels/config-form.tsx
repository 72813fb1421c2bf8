import { Fieldset, Input, NumberInput, PasswordInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { faultsBelow } from '../api/problem';
import { texts } from '../i18n/texts';
import type { ChannelKind, ChannelSchemas } from './api';
import {
  type ConfigSchema,
  type ConfigValue,
  type ConfigValues,
  type Member,
  objectAt,
} from './config-schema';

const t = texts('channels');

/**
 * Members with translated texts. Other members use the title and the description of the schema. A secret of an
 * existing channel has the hint `newHint` if there is one.
 */
const TRANSLATED = {
  'http.url': { label: 'url', hint: 'urlHint' },
  'http.idempotent': { label: 'idempotent', hint: 'idempotentHint' },
  'telegram.mode': { label: 'botMode', hint: 'botModeHint' },
  'telegram.bot_token': { label: 'botToken', hint: 'botTokenHint', newHint: 'newTokenHint' },
  'telegram.base_url': { label: 'botApi', hint: 'botApiHint' },
  'whatsapp.phone_number_id': { label: 'phoneNumberId', hint: 'phoneNumberIdHint' },
  'whatsapp.waba_id': { label: 'wabaId', hint: 'wabaIdHint' },
  'whatsapp.graph_version': { label: 'graphVersion', hint: 'graphVersionHint' },
  'whatsapp.messages_per_second': { label: 'perSecond', hint: 'perSecondHint' },
  'whatsapp.base_url': { label: 'graphApi', hint: 'graphApiHint' },
  'whatsapp.access_token': { label: 'accessToken', hint: 'accessTokenHint', newHint: 'newAccessTokenHint' },
  'whatsapp.app_secret': { label: 'appSecret', hint: 'appSecretHint', newHint: 'newAppSecretHint' },
  'whatsapp.pin': { label: 'pin', hint: 'pinHint' },
  'sms.account_sid': { label: 'accountSid', hint: 'accountSidHint' },
  'sms.from': { label: 'smsNumber', hint: 'smsNumberHint' },
  'sms.messaging_service_sid': { label: 'messagingService', hint: 'messagingServiceHint' },
  'sms.base_url': { label: 'twilioApi', hint: 'twilioApiHint' },
  'sms.auth_token': { label: 'authToken', hint: 'authTokenHint', newHint: 'newAuthTokenHint' },
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
  'email.inbound_secret': { label: 'mailSecret', hint: 'mailSecretHint', newHint: 'newMailSecretHint' },
} as const;

function translated(member: string) {
  return member in TRANSLATED ? TRANSLATED[member as keyof typeof TRANSLATED] : undefined;
}

/** The label of the member at a path such as `config/smtp/host`. */
export function labelAt({ kind, config_schema, secrets_schema }: ChannelSchemas, path: string): string {
  const [place, ...names] = path.split('/');
  const own = translated([kind, ...names].join('.'));
  if (own) return t(own.label);
  const root: Partial<Member> = place === 'secrets' ? secrets_schema : config_schema;
  const member = names.reduce<Partial<Member> | undefined>((it, name) => it?.properties?.[name], root);
  return member?.title ?? names.at(-1) ?? path;
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
  /** For an existing channel: the members that cannot be changed, such as `smtp.host`. */
  fixed?: string[];
  onChange: (values: ConfigValues) => void;
}

/**
 * A field for each member of a schema. A member with only one possible value has none, and neither has a missing
 * member that cannot be added to an existing channel.
 */
export function ConfigForm({ kind, schema, values, error, at, hidden = false, fixed, onChange }: Props) {
  const faults = faultsBelow(error, at);
  const inside = at.split('/').slice(1);
  const members = Object.entries(schema.properties ?? {});
  const isFixed = (name: string) => fixed?.includes([...inside, name].join('.')) ?? false;
  const isShown = (name: string) => !isFixed(name) || (values[name] ?? '') !== '';
  const open = members.filter(([name, member]) => member.enum?.length !== 1 && isShown(name));
  return open.map(([name, member]) => {
    const own = translated([kind, ...inside, name].join('.'));
    const hint = own && (fixed && 'newHint' in own ? own.newHint : own.hint);
    const readOnly = isFixed(name);
    const common = {
      label: own ? t(own.label) : (member.title ?? name),
      description: readOnly ? undefined : hint ? t(hint) : member.description,
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
              fixed={fixed}
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
          disabled={readOnly}
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
          readOnly={readOnly}
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
          readOnly={readOnly}
          allowDeselect={!fixed}
          data={member.enum}
          value={value || null}
          onChange={(it) => set(it ?? '')}
        />
      );
    }
    const Field = hidden ? PasswordInput : TextInput;
    const example = typeof member.examples?.[0] === 'string' ? member.examples[0] : undefined;
    return (
      <Field
        key={name}
        {...common}
        type={hidden ? undefined : member.format === 'uri' ? 'url' : 'text'}
        readOnly={readOnly}
        placeholder={hidden && fixed ? t('secretKept') : example}
        maxLength={member.maxLength}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      />
    );
  });
}
