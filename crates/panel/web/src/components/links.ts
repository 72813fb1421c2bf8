/** A piece of a text: words, or the address of a link. */
export interface TextPart {
  text: string;
  /** Set if the piece is a link: an absolute http or https URL. */
  href?: string;
}

/** An address ends at a space, a quote, a bracket of HTML, or an invisible character that could disguise it. */
const ADDRESS = /https?:\/\/[^\s<>"\p{Cc}\p{Cf}]+/giu;
/** Punctuation that ends a sentence and not an address. */
const PUNCTUATION = /[.,;:!?'’”»…]/u;
const BRACKETS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** Splits a text into words and links. Joined, the pieces are the text. */
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

/** The address as a browser reads it; nothing if it is not a complete http or https URL. */
function safeHref(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** Removes the punctuation at the end. A closing bracket stays if the address opened it. */
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
