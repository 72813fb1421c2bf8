import { createElement, Fragment, type ReactNode } from 'react';

/** Elements that are shown, without attributes. */
const SHOWN = new Set(
  (
    'b blockquote code dd del div dl dt em i ins li ol p pre s small strike strong sub sup table tbody td tfoot th ' +
    'thead tr tt u ul'
  ).split(' '),
);
/** Elements without text for a reader. */
const HIDDEN = new Set(
  'head iframe math noembed noframes noscript object script select style svg template textarea title'.split(
    ' ',
  ),
);
/** Elements that contain text only in other elements. */
const WITHOUT_TEXT = new Set(['table', 'tbody', 'tfoot', 'thead', 'tr']);
const HEADING = /^h[1-6]$/;
/** Addresses that a link may have. */
const ADDRESS = /^(https?:\/\/|mailto:|tel:)/i;
/** The text of deeper elements is shown without their form. */
const MAX_DEPTH = 150;

/**
 * The HTML of a contact. The server has cleaned it, but it is not inserted into the page: its elements are created
 * again from a list of harmless ones, without attributes except the address of a link and the direction of a text.
 */
export function RichText({ children }: { children: string }) {
  // A parsed document runs no scripts and loads no pictures.
  const { body } = new DOMParser().parseFromString(children, 'text/html');
  return <>{childrenOf(body, 0)}</>;
}

function childrenOf(node: Node, depth: number): ReactNode[] {
  return [...node.childNodes].map((child, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of a document have no other key
    <Fragment key={at}>{drawn(child, depth)}</Fragment>
  ));
}

function drawn(node: ChildNode, depth: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) {
    const isGap = WITHOUT_TEXT.has(node.parentElement?.localName ?? '');
    return isGap ? node.textContent?.trim() || null : node.textContent;
  }
  if (!(node instanceof Element) || HIDDEN.has(node.localName)) return null;
  const name = node.localName;
  if (name === 'br' || name === 'hr') return createElement(name);
  if (depth >= MAX_DEPTH) return node.textContent;
  const content = childrenOf(node, depth + 1);
  const href = node.getAttribute('href') ?? '';
  if (name === 'a' && ADDRESS.test(href)) {
    return (
      <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
        {content}
      </a>
    );
  }
  // The headings of a message are no headings of the page.
  if (HEADING.test(name)) return <div style={{ fontWeight: 600 }}>{content}</div>;
  if (!SHOWN.has(name)) return content;
  const dir = node.getAttribute('dir');
  return createElement(name, { dir: dir === 'rtl' || dir === 'ltr' ? dir : undefined }, content);
}
