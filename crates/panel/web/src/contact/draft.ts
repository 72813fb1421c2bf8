import { Problem } from '../api/problem';
import type { components } from '../api/schema';
import type { Contact, UpdateContact } from './api';

export type CustomField = components['schemas']['CustomField'];

/** The values of the form: attributes, and custom fields as `custom_fields.KEY`. Texts are not trimmed. */
export type ProfileDraft = Record<string, string | string[] | boolean>;

export const TEXTS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'external_id',
  'locale',
  'time_zone',
  'avatar_url',
] as const;

const CUSTOM = 'custom_fields.';
export const nameOfCustom = (key: string) => CUSTOM + key;

export function draftOf(contact: Contact, fields: CustomField[]): ProfileDraft {
  const texts = TEXTS.map((name) => [name, contact[name] ?? '']);
  const customs = fields.map(({ key, type }) => [
    nameOfCustom(key),
    typedText(contact.custom_fields[key], type),
  ]);
  return {
    ...Object.fromEntries(texts),
    subscribed: contact.subscribed,
    status: contact.status,
    ...Object.fromEntries(customs),
  };
}

function typedText(value: unknown, type: CustomField['type']): string | string[] {
  if (type === 'multi_select') return Array.isArray(value) ? value.map(String) : [];
  return value === null || value === undefined ? '' : String(value);
}

/** The request body for the changes. An empty field clears the value. */
export function bodyOf(changed: Partial<ProfileDraft>, fields: CustomField[]): UpdateContact {
  const body: Record<string, unknown> = {};
  const customs: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) continue;
    if (!name.startsWith(CUSTOM)) {
      body[name] = typeof value === 'string' ? value.trim() || null : value;
      continue;
    }
    const key = name.slice(CUSTOM.length);
    customs[key] = customValue(value, fields.find((it) => it.key === key)?.type ?? 'text');
  }
  if (Object.keys(customs).length > 0) body.custom_fields = customs;
  return body as UpdateContact;
}

/**
 * Converts a value to the type of its custom field. A text that does not fit is sent unchanged, and the API
 * rejects it.
 */
export function customValue(value: string | string[] | boolean, type: CustomField['type']): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value : null;
  const text = String(value).trim();
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  const number = Number(text.replace(',', '.'));
  return type === 'number' && Number.isFinite(number) ? number : text;
}

/** Maps pointers into custom fields to the fields of the form. */
export function atFields(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  if (error.code === 'contact_exists') return error;
  const faults = error.faults.map((fault) => ({
    ...fault,
    pointer: fault.pointer?.replace(/^\/custom_fields\//, `/${CUSTOM}`),
  }));
  return new Problem(
    error.status,
    error.code,
    error.detail,
    error.requestId,
    faults,
    error.retryAfter,
    error.more,
  );
}
