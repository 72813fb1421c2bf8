import { list } from '../../i18n/format';
import { texts } from '../../i18n/texts';
import type { Condition } from '../definition';
import { spanInWords } from './phrases';

const t = texts('flow-editor');

/** A condition in words: `plan is gold and tags have vip`. */
export function conditionInWords(
  condition: Condition | undefined,
  names?: ReadonlyMap<string, string>,
): string {
  return condition === undefined ? t('conditions.missing') : told(condition, 0, names);
}

const OPERATORS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'exists',
  'not_exists',
  'has',
  'has_not',
  'before',
  'after',
  'within_last',
] as const;
type Operator = (typeof OPERATORS)[number];

type Names = ReadonlyMap<string, string> | undefined;

function told(condition: Condition, depth: number, names: Names): string {
  const it = condition as Record<string, unknown>;
  if (Array.isArray(it.all)) return group(it.all, 'and', depth, names);
  if (Array.isArray(it.any)) return group(it.any, 'or', depth, names);
  if (it.not !== undefined)
    return t('conditions.not', { condition: told(it.not as Condition, depth + 1, names) });
  if (typeof it.field !== 'string') return t('conditions.missing');
  const field = fieldInWords(it.field);
  const op = OPERATORS.find((known) => known === it.op);
  const value = op ? operandInWords(op, it.value, names) : valueInWords(it.value, names);
  return op
    ? t(`conditions.operators.${op}`, { field, value }).trim()
    : `${field} ${it.op ?? ''} ${value}`.trim();
}

function group(parts: Condition[], joint: 'and' | 'or', depth: number, names: Names): string {
  if (parts.length === 0) return joint === 'and' ? t('conditions.always') : t('conditions.never');
  const text = parts
    .map((it) => told(it, depth + 1, names))
    .reduce((left, right) => t(`conditions.${joint}`, { left, right }));
  return depth > 0 && parts.length > 1 ? `(${text})` : text;
}

/** The displayed name of a field: its path without the prefix. */
export function fieldInWords(field: string): string {
  return field.replace(/^(custom_fields|bot_fields|vars)\./, '').replaceAll('_', ' ');
}

function operandInWords(op: Operator, value: unknown, names: Names): string {
  if (op === 'between' && Array.isArray(value)) return list(value.map((it) => valueInWords(it, names)));
  if (op === 'within_last' && typeof value === 'string') return spanInWords(value);
  return valueInWords(value, names);
}

function valueInWords(value: unknown, names: Names): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((it) => valueInWords(it, names)).join(', ');
  if (typeof value === 'boolean') return value ? t('conditions.yes') : t('conditions.no');
  return typeof value === 'string' ? (names?.get(value) ?? value) : JSON.stringify(value);
}
