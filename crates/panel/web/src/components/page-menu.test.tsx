import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { show } from '../settings/testing';
import { Id } from './id';
import { Page } from './page';

const page = (
  <Page title="Welcome" id="flow_1" call={{ path: '/api/v1/flows/flow_1' }}>
    Content
  </Page>
);

test('admins see the ID and the API button in the head of a page', async () => {
  show(page, { role: 'admin' });
  await screen.findByRole('heading', { name: 'Welcome' });
  expect(screen.getByText('flow_1')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'API' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'More actions' })).toBeNull();
});

test('members find the ID and the API request in the menu of a page', async () => {
  const user = userEvent.setup();
  show(page, { role: 'member' });
  await screen.findByRole('heading', { name: 'Welcome' });
  expect(screen.queryByText('flow_1')).toBeNull();
  expect(screen.queryByRole('button', { name: 'API' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy the ID' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('flow_1'));
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'API call' }));
  const dialog = await screen.findByRole('dialog', { name: 'API call' });
  expect(dialog.textContent).toContain('/api/v1/flows/flow_1');
});

test('shows no second menu, and none without an ID and a request', async () => {
  show(
    <>
      <Page title="One" id="flow_1" hasMenu>
        {null}
      </Page>
      <Page title="Two">{null}</Page>
    </>,
    { role: 'viewer' },
  );
  await screen.findByRole('heading', { name: 'Two' });
  expect(screen.queryByRole('button', { name: 'More actions' })).toBeNull();
});

test('shows an ID in details as text for admins, and in a menu for members', async () => {
  const user = userEvent.setup();
  show(<Id id="run_1" />, { role: 'admin' });
  expect(await screen.findByText('run_1')).toBeTruthy();
  cleanup();
  show(<Id id="run_1" />, { role: 'member' });
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy the ID' }));
  expect(screen.queryByText('run_1')).toBeNull();
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('run_1'));
});
