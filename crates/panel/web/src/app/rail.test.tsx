import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { serve, show } from '../settings/testing';
import type { Role } from './places';
import { Rail } from './rail';
import { isInSettings } from './rail-place';

function showRail(role: Role, path = '/flows') {
  serve({ 'GET /api/v1/conversations': () => ({ data: [], next_cursor: null, total: 0 }) });
  const rail = <Rail narrow={false} setNarrow={() => undefined} leave={() => undefined} />;
  return show(rail, { role, path, route: '/$' });
}

const names = async () => {
  await screen.findAllByRole('link');
  return screen.getAllByRole('link').map((it) => it.textContent);
};

test('members see the inbox first, then Home', async () => {
  showRail('member');
  const links = await names();
  expect(links.slice(0, 4)).toEqual(['Inbox', 'Home', 'Contacts', 'Segments']);
  expect(links.filter((it) => it === 'Inbox')).toHaveLength(1);
});

test('admins see Home first, and the settings as one entry at the end', async () => {
  showRail('admin');
  const links = await names();
  expect(links.slice(0, 4)).toEqual(['Home', 'Contacts', 'Segments', 'Inbox']);
  expect(links.at(-1)).toBe('Settings');
  expect(links).not.toContain('API keys');
});

test('the settings have their own navigation, and Back returns to the previous page', async () => {
  const { router } = showRail('admin', '/flows?status=active');
  await userEvent.click(await screen.findByRole('link', { name: 'Settings' }));
  await screen.findByRole('heading', { name: 'Settings' });
  expect(router.state.location.pathname).toBe('/settings/workspace');
  expect(await names()).toEqual([
    'Back',
    'Workspace',
    'Members',
    'API keys',
    'Plan and storage',
    'Audit log',
    'Tags',
    'Custom fields',
    'Bot fields',
    'Saved replies',
    'Secrets',
    'Profile',
  ]);
  const back = screen.getByRole('link', { name: 'Back' });
  await waitFor(() => expect(document.activeElement).toBe(back));
  await userEvent.click(back);
  await screen.findByRole('link', { name: 'Contacts' });
  expect(router.state.location.href).toBe('/flows?status=active');
});

test('a member who opens a page of the settings first goes back to the inbox', async () => {
  showRail('member', '/settings/tags');
  const back = await screen.findByRole('link', { name: 'Back' });
  expect(back.getAttribute('href')).toBe('/inbox');
  expect(screen.queryByRole('link', { name: 'Members' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Tags' }).getAttribute('aria-current')).toBe('page');
});

test('recognises only paths of the settings as settings', () => {
  expect(['/settings', '/settings/tags', '/settingsx', '/'].map(isInSettings)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
