import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Role } from '../app/places';
import { hasCanvas } from '../app/rail-place';
import { serve, show } from '../settings/testing';
import { FlowPage } from './page';
import { flow, page, tagged } from './testing';

function open(role: Role) {
  serve({
    'GET /api/v1/flows/flow_1': () => tagged(flow({ has_unpublished_changes: true }), '"1-a"'),
    'GET /api/v1/channels': () => page(),
    'POST /api/v1/flows/validate': () => ({ valid: true, findings: [] }),
  });
  show(<FlowPage />, { role, route: '/flows/$id', path: '/flows/flow_1?tab=json' });
}

test('one bar contains the back link, the name, the tabs and the actions', async () => {
  open('owner');
  expect(await screen.findByRole('heading', { name: 'Welcome', level: 1 })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to the flows' }).getAttribute('href')).toMatch(/^\/flows/);
  expect(screen.getAllByRole('tab').map((it) => it.textContent)).toEqual([
    'Build',
    'Simulate',
    'Runs',
    'Statistics',
    'Versions',
    'JSON',
  ]);
  expect(screen.getByRole('button', { name: 'Publish version 1' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  expect(await screen.findByRole('menuitem', { name: 'Duplicate' })).toBeTruthy();
  expect(screen.getByRole('menuitem', { name: 'Copy the ID' })).toBeTruthy();
});

test('a viewer sees the flow without the actions that change it', async () => {
  open('viewer');
  await screen.findByRole('heading', { name: 'Welcome', level: 1 });
  expect(screen.queryByRole('button', { name: 'Publish version 1' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Copy the ID' })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Duplicate' })).toBeNull();
});

test('only the page of a flow has a canvas', () => {
  const paths = ['/flows/flow_1', '/flows', '/sequences/seq_1', '/'];
  expect(paths.map(hasCanvas)).toEqual([true, false, false, false]);
});
