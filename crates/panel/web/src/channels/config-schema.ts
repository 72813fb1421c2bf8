/** A member of a configuration, in the JSON Schema of its type. */
export interface Member extends ConfigSchema {
  type: 'string' | 'integer' | 'boolean' | 'object';
  title?: string;
  description?: string;
  format?: string;
  enum?: string[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
}

/** The JSON Schema of `config`, `secrets` or an object in them, as the server returns it. */
export interface ConfigSchema {
  properties?: Record<string, Member>;
  required?: string[];
}

type ConfigLeaf = string | number | boolean;
export type ConfigValue = ConfigLeaf | ConfigValues;
export interface ConfigValues {
  [name: string]: ConfigValue;
}

/** Members of a configuration and of secrets by their paths, such as `config/smtp/host`. */
export type MembersByPath = Record<`config/${string}` | `secrets/${string}`, ConfigLeaf>;

/** The object at a name; empty if there is none. */
export function objectAt(values: ConfigValues, name: string): ConfigValues {
  const value = values[name];
  return typeof value === 'object' ? value : {};
}

export function isComplete({ required = [], properties = {} }: ConfigSchema, values: ConfigValues): boolean {
  return Object.entries(properties).every(([name, member]) => {
    const isNeeded = required.includes(name);
    if (member.type === 'object') {
      const inner = objectAt(values, name);
      return (!isNeeded && Object.keys(written(inner)).length === 0) || isComplete(member, inner);
    }
    return !isNeeded || String(values[name] ?? '').trim() !== '';
  });
}

/** The values, with texts trimmed and empty values removed, also in objects. */
export function written(values: ConfigValues): ConfigValues {
  const trimmed = Object.entries(values).map(([name, value]) => {
    if (typeof value === 'object') return [name, written(value)] as const;
    return [name, typeof value === 'string' ? value.trim() : value] as const;
  });
  const isEmpty = (value: ConfigValue) =>
    value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.fromEntries(trimmed.filter(([, value]) => !isEmpty(value)));
}

/** The changes of an update. An empty member that is not required is `null`, which removes it. */
export function withRemovals(
  { properties = {}, required = [] }: ConfigSchema,
  values: ConfigValues,
): Record<string, unknown> {
  const members = Object.entries(values).map(([name, value]) => {
    if (typeof value === 'object') return [name, withRemovals(properties[name] ?? {}, value)];
    return [name, value === '' && !required.includes(name) ? null : value];
  });
  return Object.fromEntries(members);
}

/** A draft with its texts trimmed. */
export function trimmed<Draft extends object>(draft: Draft): Draft {
  const members = Object.entries(draft).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(members) as Draft;
}

/** The members of an object by their paths below `at`. A missing member is empty. */
export function membersOf(
  { properties = {} }: ConfigSchema,
  values: ConfigValues,
  at: string,
): MembersByPath {
  const members = Object.entries(properties).map(([name, member]) => {
    const path = `${at}/${name}`;
    if (member.type === 'object') return membersOf(member, objectAt(values, name), path);
    return { [path]: values[name] ?? (member.type === 'boolean' ? false : '') };
  });
  return Object.assign({}, ...members);
}

/** The object of the members with paths that begin with `at`. */
export function objectOf(members: Partial<MembersByPath>, at: 'config' | 'secrets'): ConfigValues {
  const object: ConfigValues = {};
  for (const [path, value] of Object.entries(members)) {
    const [place, ...names] = path.split('/');
    const last = names.pop();
    if (place !== at || last === undefined || value === undefined) continue;
    let inner = object;
    for (const name of names) {
      const next = objectAt(inner, name);
      inner[name] = next;
      inner = next;
    }
    inner[last] = value;
  }
  return object;
}
