/** A part of a text: plain text or a link. */
export interface TextPart {
  text: string;
  /** An absolute http or https URL, if the part is a link. */
  href?: string;
}

/** A URL ends at a space, a quote, an angle bracket, or an invisible character that could disguise it. */
const ADDRESS = /https?:\/\/[^\s<>"\p{Cc}\p{Cf}]+/giu;
/** Punctuation that ends a sentence and is not part of the URL before it. */
const PUNCTUATION = /[.,;:!?'’”»…]/u;
const BRACKETS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** Splits a text into plain text and links. The joined parts equal the text. */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutEnd(found);
    const href = safeHref(address);
    if (!href) continue;
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: address, href });
    from = index + address.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** Normalizes a URL. Returns `undefined` if it is not a complete http or https URL. */
function safeHref(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** Removes trailing punctuation. Keeps a closing bracket if the URL contains the opening one. */
function withoutEnd(address: string): string {
  const counts = new Map<string, number>();
  for (const letter of address) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const count = (letter: string) => counts.get(letter) ?? 0;
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? '';
    const opening = BRACKETS[last];
    const isEnd = opening ? count(last) > count(opening) : PUNCTUATION.test(last);
    if (!isEnd) break;
    counts.set(last, count(last) - 1);
  }
  return address.slice(0, end);
}
