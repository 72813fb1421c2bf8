import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { serve, show } from '../settings/testing';
import { InboxPage } from './page';
import { inboxAnswers, page, WITH_ADA, WITH_GRACE } from './testing';
import { readInboxSearch } from './views';

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const WAITING = { ...WITH_GRACE, waiting_since: '2026-01-01T10:00:00.000Z' };
const TOTALS: Record<string, number> = { open: 7, pending: 20, snoozed: 3, resolved: 1200, all: 1230 };

/** Answers counts by status, and lists with Ada and Grace. */
function counted(lists: URLSearchParams[]) {
  return inboxAnswers({
    'GET /api/v1/conversations': (_, { url }) => {
      const query = new URL(url).searchParams;
      if (query.get('limit') === '1') {
        const total = query.has('assignee_id') ? 2 : TOTALS[query.get('status') ?? 'all'];
        return { data: [], next_cursor: null, total, total_is_capped: query.get('status') === 'resolved' };
      }
      if (query.get('include') === 'total') lists.push(query);
      return { ...page(WITH_ADA, WAITING), total: 7 };
    },
  });
}

const showInbox = (search = '') =>
  show(<InboxPage />, { path: `/inbox${search}`, route: '/inbox/{-$conversation}' });
const views = async () => {
  const nav = await screen.findByRole('navigation', { name: /^(Views|Ansichten)$/ });
  return within(nav)
    .getAllByRole('link')
    .map((it) => it.textContent);
};

test('all views show their counts', async () => {
  serve(counted([]));
  showInbox();
  await waitFor(async () =>
    expect(await views()).toEqual([
      'Open7',
      'No reply1',
      'Mine2',
      'Bot20',
      'Snoozed3',
      'Resolved1,200+',
      'All1,230',
    ]),
  );
});

test('the view without replies lists only conversations whose contact waits', async () => {
  serve(counted([]));
  showInbox('?view=waiting');
  await screen.findByRole('button', { name: /Grace/ });
  expect(screen.queryByRole('button', { name: /Ada/ })).toBeNull();
});

test('filters by assignee and unread are parameters, and each one can be removed', async () => {
  const lists: URLSearchParams[] = [];
  serve(counted(lists));
  const { router } = showInbox();
  await screen.findByRole('button', { name: /Grace/ });
  const choose = async (role: 'menuitemradio' | 'menuitemcheckbox', name: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'Order and filters' }));
    await userEvent.click(await screen.findByRole(role, { name }));
  };
  await choose('menuitemradio', 'Unassigned');
  await waitFor(() => expect(lists.at(-1)?.get('assignee_id')).toBe('none'));
  await choose('menuitemcheckbox', 'Unread');
  await waitFor(() => expect(lists.at(-1)?.get('unread')).toBe('true'));
  expect(readInboxSearch(router.state.location.search)).toMatchObject({ assignee: 'none', unread: true });
  await userEvent.click(screen.getByRole('button', { name: 'Remove the filter “Unassigned”' }));
  await waitFor(() => expect(lists.at(-1)?.has('assignee_id')).toBe(false));
});

test('filters and views are in German', () =>
  inLanguage('de', async () => {
    serve(counted([]));
    showInbox('?unread=true');
    const filters = await screen.findByRole('list', { name: 'Aktive Filter' });
    expect(within(filters).getByText('Ungelesen')).toBeTruthy();
    await waitFor(async () => expect(await views()).toContain('Erledigt1.200+'));
  }));
