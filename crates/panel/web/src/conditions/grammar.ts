import type { components } from '../api/schema';

export type Condition = components['schemas']['Condition'];

/** The field types. A type defines the operators and the format of values. */
export type Kind =
  | 'text'
  | 'choice'
  | 'options'
  | 'tags'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'id'
  | 'presence'
  | 'any';

export type Operator =
  | 'eq'
  | 'ne'
  | 'in'
  | 'not_in'
  | 'contains'
  | 'starts_with'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'between'
  | 'exists'
  | 'not_exists'
  | 'has'
  | 'has_not'
  | 'before'
  | 'after'
  | 'within_last';

/** The number of values that an operator takes, or a duration. */
export type Shape = 'none' | 'one' | 'several' | 'range' | 'duration';

const EQUAL: Operator[] = ['eq', 'ne', 'in', 'not_in'];
const THERE: Operator[] = ['exists', 'not_exists'];
const ORDER: Operator[] = ['gt', 'gte', 'lt', 'lte', 'between'];

/** The operators for each type, with the default first. */
export const OPERATORS: Record<Kind, Operator[]> = {
  text: [...EQUAL, 'contains', 'starts_with', ...THERE],
  choice: [...EQUAL, ...THERE],
  id: [...EQUAL, ...THERE],
  options: ['has', 'has_not', 'in', 'not_in', ...THERE],
  tags: ['has', 'has_not', 'in', 'not_in', ...THERE],
  number: ['eq', 'ne', ...ORDER, 'in', 'not_in', ...THERE],
  boolean: ['eq', 'ne', ...THERE],
  date: ['within_last', 'before', 'after', 'between', 'eq', 'ne', 'gte', 'lte', ...THERE],
  datetime: ['within_last', 'before', 'after', 'between', ...THERE],
  presence: THERE,
  any: [...EQUAL, 'contains', 'starts_with', ...ORDER, ...THERE],
};

const SHAPES: Partial<Record<Operator, Shape>> = {
  exists: 'none',
  not_exists: 'none',
  in: 'several',
  not_in: 'several',
  between: 'range',
  within_last: 'duration',
};

/** The value format of an operator. */
export function shapeOf(op: Operator): Shape {
  return SHAPES[op] ?? 'one';
}

/** The limits of the grammar. The API rejects larger conditions. */
export const MOST_LEVELS = 5;
export const MOST_RULES = 50;
