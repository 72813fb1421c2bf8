/** Indents JSON. Any other text is returned unchanged. */
export function prettied(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
