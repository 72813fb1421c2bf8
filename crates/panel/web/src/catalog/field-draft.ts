import type { components } from '../api/schema';

type Schemas = components['schemas'];
export type CustomField = Schemas['CustomField'];
export type FieldType = Schemas['FieldType'];

/** A custom field in the form. Numbers are texts. */
export interface FieldDraft {
  name: string;
  key: string;
  type: FieldType;
  options: string[];
  min: string;
  max: string;
  max_length: string;
  pattern: string;
}

export const FRESH: FieldDraft = {
  name: '',
  key: '',
  type: 'text',
  options: [],
  min: '',
  max: '',
  max_length: '',
  pattern: '',
};

const RULES = ['min', 'max', 'max_length', 'pattern'] as const;
type Rule = (typeof RULES)[number];

/** The validation rules for a type. */
export function rulesOf(type: FieldType): Rule[] {
  if (type === 'number') return ['min', 'max'];
  return type === 'text' ? ['max_length', 'pattern'] : [];
}

export const hasOptions = (type: FieldType) => type === 'select' || type === 'multi_select';

export function fieldDraftOf(field: CustomField): FieldDraft {
  const { name, key, type, options, validation } = field;
  const rule = (it: Rule) => String(validation[it] ?? '');
  return {
    name,
    key,
    type,
    options,
    min: rule('min'),
    max: rule('max'),
    max_length: rule('max_length'),
    pattern: rule('pattern'),
  };
}

function validationOf(draft: FieldDraft): Schemas['FieldValidation'] {
  const set = rulesOf(draft.type).filter((it) => draft[it].trim() !== '');
  return Object.fromEntries(
    set.map((it) => {
      const number = Number(draft[it]);
      return [it, it === 'pattern' || Number.isNaN(number) ? draft[it] : number];
    }),
  );
}

export function creationOf(draft: FieldDraft): Schemas['CreateCustomField'] {
  const validation = validationOf(draft);
  return {
    name: draft.name.trim(),
    type: draft.type,
    ...(draft.key.trim() && { key: draft.key.trim() }),
    ...(hasOptions(draft.type) && { options: draft.options }),
    ...(Object.keys(validation).length > 0 && { validation }),
  };
}

/** The body that saves the changes. It replaces all validation rules together. */
export function updateOf(whole: FieldDraft, changed: Partial<FieldDraft>): Schemas['UpdateCustomField'] {
  return {
    ...(changed.name !== undefined && { name: changed.name.trim() }),
    ...(changed.options && { options: changed.options }),
    ...(RULES.some((it) => it in changed) && { validation: validationOf({ ...whole, ...changed }) }),
  };
}
