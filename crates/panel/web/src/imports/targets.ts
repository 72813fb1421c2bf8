import type { components } from '../api/schema';
import { compareNames } from '../i18n/format';
import { texts } from '../i18n/texts';
import { SKIP } from './decisions';

const t = texts('imports');

type CustomField = components['schemas']['CustomField'];
type FieldType = components['schemas']['FieldType'];

/** Contact attributes that can be targets, in the order of the list. */
const ATTRIBUTES = [
  'external_id',
  'email',
  'phone',
  'first_name',
  'last_name',
  'name',
  'tags',
  'subscribed',
  'status',
  'locale',
  'time_zone',
  'avatar_url',
] as const;

/** The value of the option that creates a custom field. */
export const CREATE = '+';

/** The choice for columns with the same heading, which a parameter cannot name one by one. */
export function skipOptions() {
  return [{ group: t('noTarget'), items: [{ value: SKIP, label: t('doNotImport') }] }];
}

/** The targets of a column, for a select. */
export function targetOptions(fields: CustomField[], canCreate: boolean) {
  const custom = fields.map(({ key, name }) => ({ value: `custom_fields.${key}`, label: name }));
  const create = canCreate ? [{ value: CREATE, label: t('createField') }] : [];
  return [
    ...skipOptions(),
    {
      group: t('attributes'),
      items: ATTRIBUTES.map((value) => ({ value, label: t(`attributeNames.${value}`) })),
    },
    {
      group: t('customFields'),
      items: [...custom.sort((a, b) => compareNames(a.label, b.label)), ...create],
    },
  ].filter((it) => it.items.length > 0);
}

/** The name of a target for users. */
export function targetName(target: string, fields: CustomField[]): string {
  if (target === SKIP) return t('doNotImport');
  const field = fields.find(({ key }) => `custom_fields.${key}` === target);
  return field?.name ?? t.find('attributeNames', target) ?? target;
}

/** Whether a target exists. Custom fields can be deleted. */
export function isTarget(target: string, fields: CustomField[]): boolean {
  return (
    ATTRIBUTES.some((it) => it === target) || fields.some(({ key }) => `custom_fields.${key}` === target)
  );
}

/** Kinds of values that have several formats. */
export type Kind = 'number' | 'yes_no' | 'date' | 'date_time' | 'list' | 'choices' | 'phone' | 'full_name';

const KINDS: Partial<Record<string, Kind>> = {
  phone: 'phone',
  name: 'full_name',
  tags: 'list',
  subscribed: 'yes_no',
};
const FIELD_KINDS: Partial<Record<FieldType, Kind>> = {
  number: 'number',
  boolean: 'yes_no',
  date: 'date',
  datetime: 'date_time',
  phone: 'phone',
  multi_select: 'choices',
};

/** The kind of a target. `undefined` if its values have only one format. */
export function kindOf(target: string, fields: CustomField[]): Kind | undefined {
  const field = fields.find(({ key }) => `custom_fields.${key}` === target);
  return field ? FIELD_KINDS[field.type] : KINDS[target];
}
