import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { problem, serve, show } from '../settings/testing';
import { Channels } from './page';
import { AT, CHANNEL, list, PATH, served, TYPES } from './testing';

const TEXT = { type: 'string', maxLength: 100 };
const MAIL_TYPE = {
  kind: 'email',
  title: 'Email',
  config_schema: {
    properties: {
      from: { type: 'object', properties: { address: TEXT, name: TEXT }, required: ['address'] },
      smtp: { type: 'object', properties: { host: TEXT, port: { type: 'integer' } }, required: ['host'] },
      inbound: { type: 'object', properties: { auth: { ...TEXT, enum: ['a', 'b'] } } },
    },
    required: ['from', 'smtp'],
  },
  secrets_schema: { properties: { smtp_user: TEXT, smtp_password: TEXT } },
  fixed: ['from.address'],
};
const MAIL = {
  ...CHANNEL,
  kind: 'email',
  config: { url: null, from: { address: 'a@b.example' }, smtp: { host: 'old.example', port: 25 } },
};
const mail = {
  ...served,
  'GET /api/v1/channel-types': () => list([MAIL_TYPE]),
  [`GET ${PATH}`]: () => list([MAIL]),
  [`GET ${PATH}/chan_1`]: () => Response.json(MAIL, { headers: { ETag: '"1-a"' } }),
};

test('saves only the changed members of a configuration, and secrets with them', async () => {
  const patch = vi.fn(() => MAIL);
  serve({ ...mail, [`PATCH ${PATH}/chan_1`]: patch });
  show(<Channels />, { path: '/?channel=chan_1' });
  const server = within(await screen.findByRole('group', { name: 'Mail server' }));
  const host = server.getByRole('textbox', { name: 'Host' }) as HTMLInputElement;
  expect(host.value).toBe('old.example');
  await userEvent.clear(host);
  await userEvent.type(host, 'new.example ');
  const password = screen.getByLabelText('Password') as HTMLInputElement;
  expect([password.type, password.value, password.placeholder]).toEqual(['password', '', 'unchanged']);
  await userEvent.type(password, 'hunter2');
  expect(screen.getByText(/Host, Password/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await vi.waitFor(() =>
    expect(patch).toHaveBeenCalledWith(
      { config: { smtp: { host: 'new.example' } }, secrets: { smtp_password: 'hunter2' } },
      expect.anything(),
    ),
  );
});

test('removes an optional member that was emptied', async () => {
  const patch = vi.fn(() => MAIL);
  serve({ ...mail, [`PATCH ${PATH}/chan_1`]: patch });
  show(<Channels />, { path: '/?channel=chan_1' });
  await userEvent.clear(await screen.findByRole('textbox', { name: /Port/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await vi.waitFor(() =>
    expect(patch).toHaveBeenCalledWith({ config: { smtp: { port: null } } }, expect.anything()),
  );
});

/** Opens the settings of a channel whose messages wait for a day. */
async function openWaiting(patch: () => unknown) {
  const channel = { ...CHANNEL, while_disconnected: { mode: 'wait', for: 'PT24H' } };
  const one = () => Response.json(channel, { headers: { ETag: '"1-a"' } });
  serve({
    ...served,
    [`GET ${PATH}`]: () => list([channel]),
    [`GET ${PATH}/chan_1`]: one,
    [`PATCH ${PATH}/chan_1`]: patch,
  });
  show(<Channels />, { path: '/?channel=chan_1' });
  return within(await screen.findByRole('group', { name: /Longest wait/ }, { timeout: 5_000 }));
}

test('changes the maximum wait of messages', async () => {
  const patch = vi.fn(() => CHANNEL);
  const group = await openWaiting(patch);
  expect(screen.getByText('messages wait, at most 24 hours')).toBeTruthy();
  const count = group.getByRole('textbox', { name: 'Number' });
  await userEvent.clear(count);
  await userEvent.type(count, '48');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  const while_disconnected = { mode: 'wait', for: 'PT48H' };
  await vi.waitFor(() => expect(patch).toHaveBeenCalledWith({ while_disconnected }, expect.anything()));
});

test('can suppress messages while the provider rejects the channel', async () => {
  const patch = vi.fn(() => CHANNEL);
  await openWaiting(patch);
  await userEvent.click(screen.getByRole('combobox', { name: 'If the provider rejects the channel' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Messages are not sent' }));
  expect(screen.queryByRole('group', { name: /Longest wait/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  const while_disconnected = { mode: 'suppress', for: 'PT24H' };
  await vi.waitFor(() => expect(patch).toHaveBeenCalledWith({ while_disconnected }, expect.anything()));
});

test('shows the error of a wait that is too long at its field', async () => {
  const errors = [
    { pointer: '/while_disconnected/for', code: 'out_of_range', message: 'must be at most P7D' },
  ];
  const group = await openWaiting(() => problem(422, 'validation_failed', 'Wrong.', errors));
  const count = group.getByRole('textbox', { name: 'Number' });
  await userEvent.clear(count);
  await userEvent.type(count, '999');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await group.findByText('Must be at most P7D.')).toBeTruthy();
});

test('shows fixed members of a configuration without a way to change them', async () => {
  serve(mail);
  show(<Channels />, { path: '/?channel=chan_1' });
  const address = await screen.findByRole('textbox', { name: 'Email address' });
  expect((address as HTMLInputElement).readOnly).toBe(true);
  const name = screen.getByRole('textbox', { name: /Sender name/ });
  expect((name as HTMLInputElement).readOnly).toBe(false);
});

test('renames a channel of a type that the server does not serve', async () => {
  const patch = vi.fn(() => MAIL);
  serve({ ...mail, 'GET /api/v1/channel-types': () => list(TYPES), [`PATCH ${PATH}/chan_1`]: patch });
  show(<Channels />, { path: '/?channel=chan_1' });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await vi.waitFor(() => expect(patch).toHaveBeenCalledWith({ name: 'Support chat!' }, expect.anything()));
});

const APP = {
  kind: 'whatsapp',
  title: 'WhatsApp',
  config_schema: {},
  secrets_schema: { properties: { access_token: TEXT, app_secret: TEXT } },
  fixed: [],
};

test('offers an overlap only for a secret that signs requests', async () => {
  const patch = vi.fn(() => MAIL);
  const whatsapp = { ...MAIL, kind: 'whatsapp', config: {} };
  serve({
    ...mail,
    'GET /api/v1/channel-types': () => list([APP]),
    [`GET ${PATH}`]: () => list([whatsapp]),
    [`GET ${PATH}/chan_1`]: () => Response.json(whatsapp, { headers: { ETag: '"1-a"' } }),
    [`GET ${PATH}/chan_1/templates`]: () => ({ data: [], fetched_at: AT }),
    [`PATCH ${PATH}/chan_1`]: patch,
  });
  show(<Channels />, { path: '/?channel=chan_1' });
  const secret = await screen.findByLabelText('App secret');
  await userEvent.type(screen.getByLabelText('Access token'), 'EAAJ');
  expect(screen.queryByRole('radiogroup', { name: 'Accept the old secret for' })).toBeNull();
  await userEvent.type(secret, '614f');
  expect(screen.getByText(/^Until .* the signature of the old secret/)).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: '0 hours' }));
  expect(screen.getByText(/rejected from now on/)).toBeTruthy();
  await userEvent.clear(secret);
  expect(screen.queryByRole('radio', { name: '0 hours' })).toBeNull();
  expect(screen.getByText('Unsaved changes: Access token')).toBeTruthy();
  await userEvent.type(secret, '614f');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  const secrets = { access_token: 'EAAJ', app_secret: '614f' };
  await vi.waitFor(() => expect(patch).toHaveBeenCalledWith({ secrets, overlap: 'PT0S' }, expect.anything()));
});

test('requests a secret again, at its field, for a new address', async () => {
  const errors = [{ pointer: '/secrets/smtp_user', code: 'required', message: 'must be sent again' }];
  serve({ ...mail, [`PATCH ${PATH}/chan_1`]: () => problem(422, 'validation_failed', 'Wrong.', errors) });
  show(<Channels />, { path: '/?channel=chan_1' });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Host' }), '.org');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  const fault = await screen.findByText('Must be sent again.');
  expect(fault.parentElement?.contains(screen.getByLabelText('User name'))).toBe(true);
});

test('keeps unsaved changes when the channel gets a new version', async () => {
  let version = 1;
  const now = () => ({ ...MAIL, version, last_error: version > 1 ? 'The connection was refused.' : null });
  serve({
    ...mail,
    [`GET ${PATH}`]: () => list([now()]),
    [`GET ${PATH}/chan_1`]: () => Response.json(now(), { headers: { ETag: `"${version}-a"` } }),
    [`POST ${PATH}/chan_1/test`]: () => {
      version = 2;
      return { succeeded: false, status: null, duration_ms: 5, error: null, headers: {}, body: '' };
    },
  });
  show(<Channels />, { path: '/?channel=chan_1' });
  await userEvent.type(await screen.findByLabelText('Password'), 'hunter2');
  await userEvent.click(screen.getByRole('button', { name: 'Send a test' }));
  await vi.waitFor(() => expect(screen.getAllByText(/refused/).length).toBeGreaterThan(0));
  expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe('hunter2');
});
