import ts from 'typescript';
import { expect, test } from 'vitest';
import { nodesOf, sources } from '../testing/sources';

/** The smallest width and height of a button, in pixels (WCAG 2.2, 2.5.8). */
const LEAST = 24;

/** Whether an element is a button with only an icon and has a size below the smallest. */
function isSmall(node: ts.Node): boolean {
  if (!ts.isJsxSelfClosingElement(node) && !ts.isJsxOpeningElement(node)) return false;
  if (!['ActionIcon', 'CloseButton', 'Dots'].includes(node.tagName.getText())) return false;
  return node.attributes.properties.some((it) => {
    if (!ts.isJsxAttribute(it) || it.name.getText() !== 'size') return false;
    const size = it.initializer?.getText() ?? '';
    return /^"(xs|sm)"$/.test(size) || Number(size.replace(/[{}]/g, '')) < LEAST;
  });
}

test('icon buttons are large enough for touch', () => {
  const all = sources();
  expect(all.length).toBeGreaterThan(100);
  expect(all.flatMap((it) => nodesOf(it, isSmall))).toEqual([]);
});
