import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { serve, show } from '../settings/testing';
import RunsPart from './runs';
import type { FlowSearch } from './search';
import { flow, page } from './testing';

function open(search: FlowSearch, version_published: number | null, role: 'owner' | 'viewer' = 'owner') {
  serve({ 'GET /api/v1/flow-runs': () => page() });
  const showPart = vi.fn();
  const read = { flow: flow({ version_published }), etag: '"1-a"' };
  show(
    <RunsPart read={read} search={search} show={showPart} typed={undefined} setTyped={() => undefined} />,
    {
      role,
    },
  );
  return showPart;
}

test('a flow without runs offers to start it for a contact', async () => {
  open({}, 1);
  const link = await screen.findByRole('link', { name: 'Choose a contact to start it' });
  expect(link.getAttribute('href')).toBe('/contacts');
});

test('an unpublished flow offers its editor', async () => {
  const showPart = open({}, null);
  await userEvent.click(await screen.findByRole('button', { name: 'Open the editor' }));
  expect(showPart).toHaveBeenCalledWith({ tab: 'build' });
});

test('shows filters without a match in German', async () => {
  await inLanguage('de', async () => {
    open({ status: 'failed', node: 'greet' }, 1);
    expect(
      await screen.findByText('Kein Lauf mit Status „fehlgeschlagen“ am Knoten „Nachricht senden: Hello“'),
    ).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Alle Läufe anzeigen' })).toBeTruthy();
  });
});

test('filters without a match offer all runs', async () => {
  const showPart = open({ status: 'failed' }, 1, 'viewer');
  await userEvent.click(await screen.findByRole('button', { name: 'Show all runs' }));
  expect(showPart).toHaveBeenCalledWith({ status: undefined, node: undefined });
});
