/** How much room a label takes inside of its field, in pixels: 13 px Inter, and what is left and right of it. */
export function labelWidth(label: string): number {
  return Math.ceil(label.length * 7) + 22;
}

/** How wide a field with a text is: little, until there is something in it to read. */
export function textWidth(label: string, text: string | undefined): number {
  const wanted = labelWidth(label) + (text?.length ?? 0) * 7.5 + 48;
  return Math.min(440, Math.max(158, Math.ceil(wanted)));
}
