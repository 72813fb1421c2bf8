import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { serve, show } from '../settings/testing';
import { InboxPage } from './page';
import { counts as countsOf, inboxAnswers, page, WITH_ADA, WITH_GRACE } from './testing';
import { readInboxSearch } from './views';

const WAITING = { ...WITH_GRACE, waiting_since: '2026-01-01T10:00:00.000Z' };

/** Answers counts, and lists with Ada and Grace. Stores the parameters of both. */
function counted(lists: URLSearchParams[], counts: URLSearchParams[] = []) {
  return inboxAnswers({
    'GET /api/v1/conversations': (_, { url }) => {
      const query = new URL(url).searchParams;
      if (query.get('limit') === '1') return { data: [], next_cursor: null, total: 2 };
      if (query.get('include') === 'total') lists.push(query);
      const rows = query.has('waiting') ? [WAITING] : [WITH_ADA, WAITING];
      return { ...page(...rows), total: query.has('waiting') ? 1 : 7 };
    },
    'GET /api/v1/conversations/counts': (_, { url }) => {
      counts.push(new URL(url).searchParams);
      return countsOf({
        open: 7,
        waiting: 1,
        mine: 2,
        pending: 20,
        snoozed: 3,
        resolved: '1200+',
        all: 1230,
      });
    },
    'GET /api/v1/tags': () => page({ id: 'tag_1', name: 'VIP' }, { id: 'tag_2', name: 'New' }),
    'GET /api/v1/assignees': () => page({ id: 'user_2', name: 'Grete' }, { id: 'user_3', name: 'Anton' }),
  });
}

const showInbox = (search = '') =>
  show(<InboxPage />, { path: `/inbox${search}`, route: '/inbox/{-$conversation}', role: 'member' });
const views = async () => {
  const nav = await screen.findByRole('navigation', { name: 'Views' });
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

test('the view without replies requests waiting conversations, the longest wait first', async () => {
  const lists: URLSearchParams[] = [];
  serve(counted(lists));
  showInbox('?view=waiting');
  await screen.findByRole('button', { name: /Grace/ });
  expect(screen.queryByRole('button', { name: /Ada/ })).toBeNull();
  const query = lists[0] && Object.fromEntries(lists[0]);
  expect(query).toMatchObject({ status: 'open', waiting: 'true', sort: 'waiting_since' });
});

test('the filters offer channels of all pages', async () => {
  const channel = (id: string, name: string) => ({ id, name, kind: 'http', capabilities: {} });
  serve({
    ...counted([]),
    'GET /api/v1/channels': (_, { url }) =>
      new URL(url).searchParams.has('cursor')
        ? page(channel('chan_101', 'Last channel'))
        : { data: [channel('chan_1', 'First channel')], next_cursor: 'more' },
  });
  showInbox('?channel=chan_101');
  expect(await screen.findByText('Last channel')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Order and filters' }));
  expect(await screen.findByRole('menuitemradio', { name: 'First channel' })).toBeTruthy();
  expect(await screen.findByRole('menuitemradio', { name: 'Last channel' })).toBeTruthy();
});

test('a tag filters the list and the counts', async () => {
  const lists: URLSearchParams[] = [];
  const counts: URLSearchParams[] = [];
  serve(counted(lists, counts));
  const { router } = showInbox();
  await screen.findByRole('button', { name: /Grace/ });
  await userEvent.click(screen.getByRole('button', { name: 'Order and filters' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'By tag …' }));
  await userEvent.type(await screen.findByRole('combobox', { name: 'Tag' }), 'vi');
  await userEvent.click(await screen.findByRole('option', { name: 'VIP' }));
  await waitFor(() => expect(lists.at(-1)?.getAll('tag')).toEqual(['tag_1']));
  await waitFor(() => expect(counts.at(-1)?.getAll('tag')).toEqual(['tag_1']));
  expect(readInboxSearch(router.state.location.search)).toMatchObject({ tag: 'tag_1' });
  await userEvent.click(await screen.findByRole('button', { name: 'Remove the filter “Tag: VIP”' }));
  await waitFor(() => expect(lists.at(-1)?.has('tag')).toBe(false));
});

test('the search finds conversations by contact, and counts only the view', async () => {
  const lists: URLSearchParams[] = [];
  serve(counted(lists));
  const { router } = showInbox();
  await waitFor(async () => expect(await views()).toContain('Bot20'));
  await userEvent.type(screen.getByRole('textbox', { name: 'Search by contact' }), 'ada l ');
  await waitFor(() => expect(lists.at(-1)?.get('q')).toBe('ada l'));
  await waitFor(async () => expect(await views()).toEqual(expect.arrayContaining(['Open7', 'Bot'])));
  expect(readInboxSearch(router.state.location.search)).toMatchObject({ q: 'ada l' });
});

test('a search without a result in a view continues in all views', async () => {
  serve({
    ...counted([]),
    'GET /api/v1/conversations': (_, { url }) => (url.includes('status=') ? page() : page(WITH_ADA)),
  });
  showInbox('?q=ada');
  await userEvent.click(await screen.findByRole('button', { name: 'Search in all views' }));
  expect(await screen.findByRole('button', { name: /Ada/ })).toBeTruthy();
});

test('members can filter by assignee', async () => {
  const lists: URLSearchParams[] = [];
  serve(counted(lists));
  showInbox();
  await screen.findByRole('button', { name: /Grace/ });
  await userEvent.click(screen.getByRole('button', { name: 'Order and filters' }));
  const names = ['Anton', 'Grete'];
  const items = await screen.findAllByRole('menuitemradio', { name: /Anton|Grete/ });
  expect(items.map((it) => it.textContent)).toEqual(names);
  await userEvent.click(items[1] as HTMLElement);
  await waitFor(() => expect(lists.at(-1)?.get('assignee_id')).toBe('user_2'));
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
