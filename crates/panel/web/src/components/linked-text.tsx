import { linkParts } from './links';

/** A text of a message. Its addresses are links that open in a new tab; everything else stays plain text. */
export function LinkedText({ children }: { children: string }) {
  return linkParts(children).map(({ text, href }, at) =>
    href ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have nothing else that identifies them
      <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>
    ) : (
      text
    ),
  );
}
