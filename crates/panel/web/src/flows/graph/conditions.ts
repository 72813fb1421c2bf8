import { en } from '../../i18n/en';
import type { Condition } from '../definition';

const words = en.flowEditor.conditions;

/** A condition in words: `plan is gold and tags have vip`. */
export function conditionInWords(
  condition: Condition | undefined,
  names?: ReadonlyMap<string, string>,
): string {
  return condition === undefined ? words.missing : told(condition, 0, names);
}

type Names = ReadonlyMap<string, string> | undefined;

function told(condition: Condition, depth: number, names: Names): string {
  const it = condition as Record<string, unknown>;
  if (Array.isArray(it.all)) return group(it.all, words.and, words.everybody, depth, names);
  if (Array.isArray(it.any)) return group(it.any, words.or, words.nobody, depth, names);
  if (it.not !== undefined) return words.not(told(it.not as Condition, depth + 1, names));
  if (typeof it.field !== 'string') return words.missing;
  const op = words.operators[String(it.op) as keyof typeof words.operators] ?? String(it.op ?? '');
  return [fieldInWords(it.field), op, valueInWords(it.value, names)].filter(Boolean).join(' ');
}

function group(parts: Condition[], between: string, none: string, depth: number, names: Names): string {
  if (parts.length === 0) return none;
  const text = parts.map((it) => told(it, depth + 1, names)).join(` ${between} `);
  return depth > 0 && parts.length > 1 ? `(${text})` : text;
}

/** The name of a field as people say it: the last part of its path. */
export function fieldInWords(field: string): string {
  return field.replace(/^(custom_fields|bot_fields|vars)\./, '').replaceAll('_', ' ');
}

function valueInWords(value: unknown, names: Names): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((it) => valueInWords(it, names)).join(', ');
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return typeof value === 'string' ? (names?.get(value) ?? value) : JSON.stringify(value);
}
