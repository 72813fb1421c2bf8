import { conditions as words } from '../i18n/en/conditions';
import { type Field, optionOf } from './fields';
import { type Condition, type Kind, type Operator, shapeOf } from './grammar';
import { durationParts, untyped } from './values';

/** What an operator is called beside a field of this type. */
export function operatorWord(op: Operator, kind: Kind): string {
  if (kind === 'tags' || kind === 'options') {
    if (op === 'in') return words.listIn;
    if (op === 'not_in') return words.listNotIn;
  }
  if (kind === 'date' || kind === 'datetime') {
    if (op === 'gte') return words.dateGte;
    if (op === 'lte') return words.dateLte;
  }
  return words.operators[op];
}

/** A condition in a sentence, for who reads it. */
export function described(condition: Condition, fields: Field[], inside = false): string {
  if ('not' in condition) return words.not(described(condition.not, fields));
  if ('all' in condition || 'any' in condition) {
    const [items, link, none] =
      'all' in condition
        ? [condition.all, words.and, words.everybody]
        : [condition.any, words.or, words.nobody];
    if (items.length === 0) return none;
    const text = items.map((it) => described(it, fields, items.length > 1)).join(link);
    return inside && items.length > 1 ? `(${text})` : text;
  }
  const field = fields.find(({ name }) => name === condition.field);
  const subject = field
    ? field.group === 'Any conversation'
      ? `conversation: ${field.label.toLowerCase()}`
      : field.label
    : condition.field;
  const op = operatorWord(condition.op, field?.kind ?? 'any');
  const shape = shapeOf(condition.op);
  if (shape === 'none') return `${subject} ${op}`;
  const values = untyped(condition.value, '').map((it) => valueWord(it, field));
  if (shape === 'duration') return `${subject} ${op} ${durationWord(values[0] ?? '')}`;
  return `${subject} ${op} ${values.join(shape === 'range' ? words.and : ', ')}`;
}

function valueWord(value: string, field: Field | undefined): string {
  if (field?.kind === 'boolean') return value === 'true' ? words.yes : words.no;
  if (field?.options) return optionOf(field.options, value)?.label ?? value;
  return field?.kind === 'text' ? `“${value}”` : value;
}

function durationWord(iso: string): string {
  const parts = durationParts(iso);
  if (!parts) return iso;
  const unit = words.units[parts.unit];
  return `${parts.count} ${parts.count === '1' ? unit.slice(0, -1) : unit}`;
}
