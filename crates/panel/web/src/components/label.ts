/** Widths of characters of Inter at 13 px in pixels, rounded up. Other characters have the usual width. */
const WIDTHS: [characters: RegExp, width: number][] = [
  [/[ijlI]/, 3.5],
  [/[frt .,-]/, 5],
  [/[mw]/, 11.5],
  [/[MW]/, 13],
  [/\p{Lu}/u, 9.5],
];
const USUAL = 7.7;

const widthOf = (character: string) => WIDTHS.find(([some]) => some.test(character))?.[1] ?? USUAL;

/** The width of a label inside of its field in pixels, at Inter 13 px with padding. */
export function labelWidth(label: string): number {
  return Math.ceil([...label].reduce((sum, it) => sum + widthOf(it), 0)) + 22;
}

/** The width of a field in pixels. It grows with its text, between a minimum and a maximum. */
export function textWidth(label: string, text: string | undefined): number {
  const wanted = labelWidth(label) + (text?.length ?? 0) * 7.5 + 48;
  return Math.min(440, Math.max(158, Math.ceil(wanted)));
}
