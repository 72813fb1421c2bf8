import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { problem, serve, show } from '../settings/testing';
import { versionOf } from './api';
import { hostsOf } from './hosts';
import { Secrets } from './page';

const AT = '2026-01-01T00:00:00.000Z';
const SECRET = { name: 'CRM_TOKEN', hosts: ['api.crm.example'], created_at: AT, updated_at: AT, version: 2 };
const PATH = '/api/v1/secrets';
const served = {
  [`GET ${PATH}`]: () => ({ data: [SECRET], next_cursor: null }),
  [`GET ${PATH}/CRM_TOKEN`]: () => Response.json(SECRET, { headers: { ETag: '"2-a"' } }),
};

test('reads one host per line, and the version in an entity tag', () => {
  expect(hostsOf(' a.example\nb.example, a.example ')).toEqual(['a.example', 'b.example']);
  expect([versionOf('"12-abc"'), versionOf('W/"3-x"')]).toEqual([12, 3]);
});

test('a new secret does not replace an existing one', async () => {
  const put = vi.fn();
  serve({
    ...served,
    [`PUT ${PATH}/SHOP_KEY`]: (body, request) => {
      put(body, request.headers.get('If-None-Match'));
      return { ...SECRET, name: 'SHOP_KEY' };
    },
  });
  show(<Secrets />, { path: '/?create=true' });
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'shop key');
  await userEvent.type(within(dialog).getByLabelText('Value'), 'v');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Hosts' }), 'shop.example');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add a secret' }));
  await vi.waitFor(() => expect(put).toHaveBeenCalledWith({ value: 'v', hosts: ['shop.example'] }, '*'));
});

test('reports that another user replaced the secret', async () => {
  serve({ ...served, [`PUT ${PATH}/CRM_TOKEN`]: () => problem(412, 'precondition_failed', 'Changed.') });
  show(<Secrets />, { path: '/?secret=CRM_TOKEN' });
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(await within(dialog).findByLabelText('Value'), 'v');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Replace secret' }));
  expect(await within(dialog).findByText(/Someone else replaced this secret/)).toBeTruthy();
});

test('members who are not admins see names and hosts without actions', async () => {
  serve(served);
  show(<Secrets />, { role: 'member', path: '/?secret=CRM_TOKEN' });
  expect(await screen.findByText('api.crm.example')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add a secret' })).toBeNull();
});
