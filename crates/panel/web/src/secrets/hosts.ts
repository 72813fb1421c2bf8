/** The hosts that a text names, one in a line or apart by commas and spaces. */
export function hostsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}
