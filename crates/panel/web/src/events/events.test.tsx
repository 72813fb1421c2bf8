import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { serve, show } from '../settings/testing';
import { Events } from './page';

const event = (position: number, type: string) => ({
  position,
  id: `evt_${position}`,
  type,
  api_version: 'v1',
  timestamp: '2026-01-01T00:00:00.000Z',
  workspace_id: 'ws_live',
  test: false,
  actor: { type: 'api_key', id: 'key_1' },
  data: { object: { id: `contact_${position}`, name: `Person ${position}` } },
});
const ALL = [event(1, 'contact.created'), event(2, 'contact.updated'), event(3, 'contact.created')];

/** The feed as the server returns it. */
const served = {
  'GET /api/v1/event-types': () => ({ data: [], next_cursor: null }),
  'GET /api/v1/events': (_: unknown, request: Request) => {
    const { searchParams } = new URL(request.url);
    const after = Number(searchParams.get('after'));
    const types = searchParams.get('types')?.split(',');
    const data = ALL.filter((it) => it.position > after && (types?.includes(it.type) ?? true));
    return { data, next_after: Math.max(after, 3), has_more: false };
  },
};

test('lists events newest first, and shows the envelope of each', async () => {
  serve(served);
  show(<Events />);
  await screen.findByText('Person 3');
  const rows = screen.getAllByRole('row').slice(1);
  expect(rows.map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual(['3', '2', '1']);
  await userEvent.click(screen.getByText('contact.updated'));
  const drawer = await screen.findByRole('complementary', { name: 'Event' });
  expect(within(drawer).getByText(/"api_version": "v1"/)).toBeTruthy();
});

test('the address filters by type', async () => {
  serve(served);
  show(<Events />, { path: '/?kind=contact.updated' });
  expect(await screen.findByText('Person 2')).toBeTruthy();
  expect(screen.queryByText('Person 3')).toBeNull();
});

test('shows the events in German', async () => {
  serve(served);
  await inLanguage('de', async () => {
    show(<Events />, { path: '/?kind=contact.deleted' });
    expect(await screen.findByText('Keine Ereignisse der Art contact.deleted')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Filter zurücksetzen' }));
    expect(await screen.findByRole('row', { name: /contact_2 Person 2 API-Schlüssel/ })).toBeTruthy();
  });
});
