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

/** The width of a text in pixels, at Inter 13 px. */
export function wordsWidth(text: string): number {
  return Math.ceil([...text].reduce((sum, it) => sum + widthOf(it), 0));
}

/** The width of a label inside of its field in pixels, with padding. */
export function labelWidth(label: string): number {
  return wordsWidth(label) + 22;
}

/** The width of a field in pixels. It grows with its text, between a minimum and a maximum. */
export function textWidth(label: string, text: string | undefined): number {
  // A text has a button that clears it, an empty field only a short placeholder.
  const wanted = labelWidth(label) + (text ? text.length * 7.5 + 48 : 42);
  return Math.min(440, Math.max(124, Math.ceil(wanted)));
}
