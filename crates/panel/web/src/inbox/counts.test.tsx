import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { serve, show } from '../settings/testing';
import { UnreadBadge } from './badge';
import { conversation } from './testing';
import { useUnanswered } from './unanswered';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const AT = '2026-01-01T10:00:00.000Z';

/** Answers the question for unread conversations with a number, and reports its parameters. */
function unread(total: number) {
  const asked: URLSearchParams[] = [];
  serve({
    'GET /api/v1/conversations': (_, { url }) => {
      const query = new URL(url).searchParams;
      if (query.has('unread')) asked.push(query);
      return { data: [], next_cursor: null, total };
    },
  });
  return asked;
}

test('the badge counts the unread conversations of all views', async () => {
  const asked = unread(12);
  show(<UnreadBadge />);
  const badge = await screen.findByTitle('12 unread conversations');
  expect(badge.textContent).toBe('12');
  expect(Object.fromEntries(asked[0] ?? [])).toEqual({ unread: 'true', include: 'total', limit: '1' });
});

test('a large number is shortened in the badge, in German, too', () =>
  inLanguage('de', async () => {
    unread(1200);
    show(<UnreadBadge />);
    const badge = await screen.findByTitle('1.200 ungelesene Unterhaltungen');
    expect(badge.textContent).toBe('99+');
  }));

function Unanswered() {
  const it = useUnanswered('ws_live');
  return it ? <output>{`${it.count} ${it.more}`}</output> : null;
}

test('open conversations without a reply are counted on all pages, up to a limit', async () => {
  const waiting = conversation({ waiting_since: AT });
  const pages = (next: (cursor: string | null) => string | null) =>
    serve({
      'GET /api/v1/conversations': (_, { url }) => {
        const query = new URL(url).searchParams;
        expect(query.get('status')).toBe('open');
        return { data: [waiting, conversation({})], next_cursor: next(query.get('cursor')) };
      },
    });
  pages((cursor) => (cursor ? null : 'second'));
  show(<Unanswered />);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('2 false'));
  pages(() => 'next');
  show(<Unanswered />);
  await waitFor(() => expect(screen.getAllByRole('status')[1]?.textContent).toBe('5 true'));
});
