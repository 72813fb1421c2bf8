/** Parses a JSON object. Returns `undefined` for anything else. */
export function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const plain = typeof value === 'object' && value !== null && !Array.isArray(value);
    return plain ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
