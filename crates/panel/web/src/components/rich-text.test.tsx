import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { RichText } from './rich-text';

const shown = (html: string) => render(<RichText>{html}</RichText>).container.innerHTML;

test('shows the formatting of a text', () => {
  expect(shown('<p dir="rtl">a <b>b</b><br>c</p><ul><li>d</li></ul>')).toBe(
    '<p dir="rtl">a <b>b</b><br>c</p><ul><li>d</li></ul>',
  );
  expect(shown('<table> <tr><td>1</td> <td>2</td></tr> </table>')).toBe(
    '<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
  );
  expect(shown('<h1>Offer</h1>')).toContain('Offer</div>');
});

test('removes elements that run code or load data', () => {
  const html =
    '<script>evil()</script><p onclick="evil()" style="color: red" id="root">a</p><img src="x" onerror="evil()">' +
    '<svg onload="evil()"><text>b</text></svg><iframe srcdoc="c"></iframe><form><input value="d"></form>' +
    '<style>p { color: red }</style><x-evil>e</x-evil>';
  expect(shown(html)).toBe('<p>a</p>e');
});

test('keeps only links to the web', () => {
  render(
    <RichText>
      {'<a href="https://a.example/">good</a> <a href="javascript:evil()">bad</a> <a href="/panel">own</a>'}
    </RichText>,
  );
  const [link, ...others] = screen.getAllByRole('link');
  expect(others).toEqual([]);
  expect([link?.textContent, link?.getAttribute('href')]).toEqual(['good', 'https://a.example/']);
  expect(link?.getAttribute('rel')).toContain('noopener');
});

test('shows a text in many elements', () => {
  expect(shown(`${'<div>'.repeat(400)}deep`)).toContain('deep');
});
