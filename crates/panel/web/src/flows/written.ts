/** What is typed and not saved, and the draft that it was made from. */
export interface Typed<Base> {
  text: string;
  base: Base;
}

/** A definition as people read it. */
export function written(definition: unknown): string {
  return JSON.stringify(definition, null, 2);
}

export type Read = { definition: Record<string, unknown> } | { fault: string };

interface Faults {
  noObject: string;
  notJson: (reason: string) => string;
}

/** Parses a definition, or returns why the text is none. */
export function read(text: string, { noObject, notJson }: Faults): Read {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: noObject };
    return { definition: value as Record<string, unknown> };
  } catch (error) {
    return { fault: notJson((error as Error).message) };
  }
}
