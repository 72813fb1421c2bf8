import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { destination } from '../login/page';
import { curl } from './curl';
import { shortened } from './id';
import { DataTable } from './table';
import { relative } from './time';

test('quotes a curl command for a shell', () => {
  expect(curl({ path: '/api/v1/me' }, 'http://h')).toBe(
    `curl 'http://h/api/v1/me' \\\n  -H "Authorization: Bearer $TIDINGS_KEY"`,
  );
  expect(curl({ method: 'POST', path: '/x', body: { name: "it's" }, credential: 'tdg_1' }, 'http://h')).toBe(
    [
      `curl 'http://h/x'`,
      `-H 'Authorization: Bearer tdg_1'`,
      `-H 'Content-Type: application/json'`,
      `-d '{"name":"it'\\''s"}'`,
    ].join(' \\\n  '),
  );
  expect(curl({ method: 'DELETE', path: '/x' }, 'http://h')).toContain('curl -X DELETE ');
});

test('shortens an ID to its type, beginning and end', () => {
  expect(shortened('contact_01kawfz8q5e0qv0m3m1n2p3q4r')).toBe('contact_01kawf…3q4r');
  expect(shortened('key_short')).toBe('key_short');
});

test('describes times in everyday words', () => {
  const now = Date.parse('2026-01-10T12:00:00Z');
  const ago = (seconds: number) => relative(new Date(now - seconds * 1000).toISOString(), now);
  expect([2, 45, 120, 7200, 86_400, -3 * 86_400].map(ago)).toEqual([
    'just now',
    '45 seconds ago',
    '2 minutes ago',
    '2 hours ago',
    'yesterday',
    'in 3 days',
  ]);
});

test('returns only to pages of the panel after the sign-in', () => {
  expect(
    ['/settings/profile?x=1', '//evil.example', '/\\evil.example', 'https://evil.example', undefined].map(
      destination,
    ),
  ).toEqual(['/settings/profile?x=1', '/', '/', '/', '/']);
});

test('moves through a table by keyboard, and keeps clicks on links', () => {
  const open = vi.fn();
  render(
    <MantineProvider>
      <DataTable
        label="Rows"
        rows={['a', 'b', 'c']}
        rowKey={(row) => row}
        columns={[{ key: 'name', header: 'Name', render: (row) => <a href="#there">{row}</a> }]}
        onOpen={open}
      />
    </MantineProvider>,
  );
  const row = (name: string) => screen.getByRole('row', { name });
  expect(row('a').tabIndex).toBe(0);
  expect(row('b').tabIndex).toBe(-1);
  row('a').focus();
  fireEvent.keyDown(row('a'), { key: 'j' });
  expect(document.activeElement).toBe(row('b'));
  fireEvent.keyDown(row('b'), { key: 'ArrowDown' });
  fireEvent.keyDown(row('c'), { key: 'j' });
  expect(document.activeElement).toBe(row('c'));
  fireEvent.keyDown(row('c'), { key: 'Enter' });
  expect(open).toHaveBeenCalledWith('c');
  fireEvent.click(screen.getByRole('link', { name: 'b' }));
  expect(open).toHaveBeenCalledTimes(1);
});
