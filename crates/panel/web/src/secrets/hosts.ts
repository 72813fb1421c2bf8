/** Splits a text into hosts at spaces, commas and line breaks. */
export function hostsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}
