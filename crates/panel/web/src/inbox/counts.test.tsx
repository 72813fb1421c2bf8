import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { serve, show } from '../settings/testing';
import { UnreadBadge } from './badge';
import { counts } from './testing';
import { useUnanswered } from './view-counts';

/** Answers requests for unread conversations with `total`, and returns their parameters. */
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

test('shortens a large number in the badge, also in German', () =>
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

test('the API counts open conversations without a reply', async () => {
  const asked: string[] = [];
  serve({
    'GET /api/v1/conversations/counts': (_, { url }) => {
      asked.push(new URL(url).search);
      return counts({ waiting: '10000+', open: 7 });
    },
  });
  show(<Unanswered />);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('10000 true'));
  expect(asked).toEqual(['']);
});
