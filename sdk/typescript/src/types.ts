import type { operations } from './schema.js';

type Name = keyof operations;
type Json<R> = R extends { content: { 'application/json': infer J } } ? J : undefined;
type Responses<O extends Name> = operations[O]['responses'];

/** The body of a successful response. */
export type Answer<O extends Name> = {
  [Status in keyof Responses<O> & (200 | 201 | 202 | 204)]: Json<Responses<O>[Status]>;
}[keyof Responses<O> & (200 | 201 | 202 | 204)];

/** The body of a request. */
export type Body<O extends Name> = operations[O] extends { requestBody?: { content: { 'application/json': infer J } } }
  ? J
  : never;

/** Query parameters. Filters on custom fields are `custom_fields: { plan: 'gold' }`. */
export type Query<O extends Name> = operations[O] extends { parameters: { query?: infer Q } }
  ? Omit<NonNullable<Q>, 'custom_fields.KEY'> &
      ('custom_fields.KEY' extends keyof NonNullable<Q> ? { custom_fields?: Record<string, string> } : unknown)
  : never;

/** A row of a list. */
export type Item<O extends Name> = Answer<O> extends { data: (infer I)[] } ? I : never;
