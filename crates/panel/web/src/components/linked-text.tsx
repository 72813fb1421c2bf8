import { linkParts } from './links';

/** The text of a message. URLs are links that open in a new tab, everything else is plain text. */
export function LinkedText({ children }: { children: string }) {
  return linkParts(children).map(({ text, href }, at) =>
    href ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
      <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>
    ) : (
      text
    ),
  );
}
