/** The width of a label inside of its field in pixels, at Inter 13 px with padding. */
export function labelWidth(label: string): number {
  return Math.ceil(label.length * 7) + 22;
}

/** The width of a field in pixels. It grows with its text, between a minimum and a maximum. */
export function textWidth(label: string, text: string | undefined): number {
  const wanted = labelWidth(label) + (text?.length ?? 0) * 7.5 + 48;
  return Math.min(440, Math.max(158, Math.ceil(wanted)));
}
