import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { LinkedText } from './linked-text';
import { linkParts } from './links';

const links = (text: string) => linkParts(text).flatMap(({ text, href }) => (href ? [text] : []));

test('finds http and https addresses only', () => {
  expect(links('See https://shop.example/a?b=1#c and HTTP://x.example')).toEqual([
    'https://shop.example/a?b=1#c',
    'HTTP://x.example',
  ]);
  expect(links('javascript:alert(1) data:text/html,x ftp://x.example www.x.example ada@x.example')).toEqual(
    [],
  );
  expect(links('https:// and http://')).toEqual([]);
});

test('leaves the punctuation around an address out', () => {
  expect(links('Read https://x.example/a.')).toEqual(['https://x.example/a']);
  expect(links('(https://x.example/a), “https://x.example/b”!')).toEqual([
    'https://x.example/a',
    'https://x.example/b',
  ]);
  expect(links('https://x.example/Tea_(drink)')).toEqual(['https://x.example/Tea_(drink)']);
});

test('ends an address at HTML and at invisible characters', () => {
  expect(links('<a href="https://x.example/a">https://x.example/b</a>')).toEqual([
    'https://x.example/a',
    'https://x.example/b',
  ]);
  expect(links('https://x.example/\u202egnp.exe')).toEqual(['https://x.example/']);
});

test('keeps every character of the text', () => {
  for (const text of ['', 'Hello', 'a https://x.example, b', 'https://x.example', 'https:// x)']) {
    expect(
      linkParts(text)
        .map((it) => it.text)
        .join(''),
    ).toBe(text);
  }
});

test('reads a long text of brackets quickly', () => {
  const text = `https://x.example/${')'.repeat(4000)}`;
  expect(links(text)).toEqual(['https://x.example/']);
});

test('shows links without a referrer, and HTML as text', () => {
  render(
    <p>
      <LinkedText>{'<b>Look</b> at https://x.example/a.'}</LinkedText>
    </p>,
  );
  const link = screen.getByRole('link', { name: 'https://x.example/a' });
  expect(link.getAttribute('href')).toBe('https://x.example/a');
  expect(link.getAttribute('target')).toBe('_blank');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  expect(screen.getByText(/<b>Look<\/b> at/)).toBeTruthy();
});
