/** Unsaved text, and the draft on which it is based. */
export interface Typed<Base> {
  text: string;
  base: Base;
}

/** Formats a definition as JSON. */
export function written(definition: unknown): string {
  return JSON.stringify(definition, null, 2);
}

export type Read = { definition: Record<string, unknown> } | { fault: string };

interface Faults {
  noObject: string;
  notJson: (reason: string) => string;
}

/** Parses a definition, or returns a message if it is invalid. */
export function read(text: string, { noObject, notJson }: Faults): Read {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: noObject };
    return { definition: value as Record<string, unknown> };
  } catch (error) {
    return { fault: notJson((error as Error).message) };
  }
}
