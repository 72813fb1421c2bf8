import { dayAndTime } from '../components/time';
import { date } from '../i18n/format';
import { texts } from '../i18n/texts';
import { type Field, optionOf } from './fields';
import { type Condition, type Kind, type Operator, shapeOf } from './grammar';
import { durationParts, untyped } from './values';

const t = texts('conditions');

/** The label of an operator for a field type. Lists and dates have other labels for some operators. */
export function operatorWord(op: Operator, kind: Kind): string {
  if ((kind === 'tags' || kind === 'options') && (op === 'in' || op === 'not_in')) {
    return t(`listOperators.${op}`);
  }
  if ((kind === 'date' || kind === 'datetime') && (op === 'gte' || op === 'lte')) {
    return t(`dateOperators.${op}`);
  }
  return t(`operators.${op}`);
}

export function described(condition: Condition, fields: Field[], inside = false): string {
  if ('not' in condition) return t('not', { condition: described(condition.not, fields) });
  if ('all' in condition || 'any' in condition) {
    const [items, link] =
      'all' in condition ? ([condition.all, 'and'] as const) : ([condition.any, 'or'] as const);
    if (items.length === 0) return t(link === 'and' ? 'everybody' : 'nobody');
    const text = items
      .map((it) => described(it, fields, items.length > 1))
      .reduce((first, second) => t(link, { first, second }));
    return inside && items.length > 1 ? `(${text})` : text;
  }
  const known = fields.find(({ name }) => name === condition.field);
  const field = known ? labelOf(known) : condition.field;
  const operator = operatorWord(condition.op, known?.kind ?? 'any');
  const shape = shapeOf(condition.op);
  if (shape === 'none') return t('presence', { field, operator });
  const values = untyped(condition.value, '').map((it) => valueWord(it, known));
  const [from = '', to] = values;
  if (shape === 'duration') return t('comparison', { field, operator, value: durationWord(from) });
  const value = shape === 'range' && to !== undefined ? t('range', { from, to }) : values.join(', ');
  return t('comparison', { field, operator, value });
}

/** The label of a field in a sentence, which has no group headings. */
function labelOf({ name, label }: Field): string {
  return name.startsWith('conversation.') ? t('ofConversation', { field: label }) : label;
}

function valueWord(value: string, field: Field | undefined): string {
  if (field?.kind === 'boolean') return t(value === 'true' ? 'yes' : 'no');
  if (field?.options) return optionOf(field.options, value)?.label ?? value;
  if (field?.kind === 'text') return t('quoted', { text: value });
  if (Number.isNaN(Date.parse(value))) return value;
  if (field?.kind === 'date') return date(value, { dateStyle: 'medium', timeZone: 'UTC' });
  return field?.kind === 'datetime' ? dayAndTime(value) : value;
}

function durationWord(iso: string): string {
  const parts = durationParts(iso);
  return parts ? t(`durations.${parts.unit}`, { count: Number(parts.count) }) : iso;
}
