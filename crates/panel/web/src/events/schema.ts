/** As much of a JSON Schema as is shown. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

/** A field of an event's data. */
export interface HeldField {
  name: string;
  type: string;
  says: string;
}

/** What a reference such as `/openapi.json#/components/schemas/Tag` points to. */
export function resolved(schema: Schema, document: object): Schema {
  const pointer = schema.$ref?.split('#/')[1];
  if (pointer === undefined) return schema;
  let at: unknown = document;
  for (const part of pointer.split('/')) {
    at = (at as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return at ? resolved(at as Schema, document) : {};
}

/** The type of a field in a word or two. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'object';
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' and ');
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  return [schema.type ?? 'any'].flat().join(' or ');
}

/** The fields of an event's data, in the order of the document. */
export function fieldsOf(schema: Schema, document: object): HeldField[] {
  const whole = resolved(schema, document);
  const parts = [whole, ...(whole.allOf ?? []).map((it) => resolved(it, document))];
  return parts
    .flatMap((part) => Object.entries(part.properties ?? {}))
    .map(([name, field]) => ({
      name,
      type: typeOf(field),
      says: (field.description ?? resolved(field, document).description ?? '').split('\n')[0] ?? '',
    }));
}
