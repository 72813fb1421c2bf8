import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { problem, serve, show } from '../settings/testing';
import { Channels } from './page';
import { CHANNEL, list, PATH, served } from './testing';

test('creates a channel of a type, and shows its secret once', async () => {
  const post = vi.fn(() => ({ ...CHANNEL, secret: 'whsec_once' }));
  serve({ ...served, [`POST ${PATH}`]: post });
  show(<Channels />, { path: '/?create=true' });
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(
    await within(dialog).findByRole('textbox', { name: /Address of the provider/ }),
    'https://p.example',
  );
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add a channel' }));
  expect(await within(dialog).findByText('whsec_once')).toBeTruthy();
  expect(post).toHaveBeenCalledWith(
    { kind: 'http', config: { url: 'https://p.example' } },
    expect.anything(),
  );
});

test('the form of a type has a field for each member of its schemas', async () => {
  const post = vi.fn(() => CHANNEL);
  const string = { type: 'string', maxLength: 100 };
  const properties = {
    mode: { ...string, title: 'Mode', enum: ['webhook', 'polling'] },
    rate: { type: 'integer', title: 'Messages per second', minimum: 1, maximum: 80 },
  };
  const secrets_schema = {
    properties: { bot_token: { ...string, title: 'Bot token' } },
    required: ['bot_token'],
  };
  const type = { kind: 'http', title: 'Bot', config_schema: { properties }, secrets_schema };
  serve({ ...served, 'GET /api/v1/channel-types': () => list([type]), [`POST ${PATH}`]: post });
  show(<Channels />, { path: '/?create=true' });
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByRole('combobox', { name: /Mode/ })).toBeTruthy();
  const add = dialog.getByRole('button', { name: 'Add a channel' });
  expect((add as HTMLButtonElement).disabled).toBe(true);
  await userEvent.type(dialog.getByRole('textbox', { name: /Messages per second/ }), '25');
  await userEvent.type(dialog.getByLabelText(/Bot token/), '1:abc');
  await userEvent.click(add);
  expect(post).toHaveBeenCalledWith(
    { kind: 'http', config: { rate: 25 }, secrets: { bot_token: '1:abc' } },
    expect.anything(),
  );
});

test('shows objects of a configuration as groups of fields, and a generated secret once', async () => {
  const made = { ...CHANNEL, kind: 'email', config: {}, secrets: { inbound_secret: 'whsec_once' } };
  const post = vi.fn(() => made);
  const string = { type: 'string', maxLength: 100 };
  const from = { type: 'object', properties: { address: string, name: string }, required: ['address'] };
  const auth = { ...string, enum: ['a', 'b'] };
  const inbound = { type: 'object', properties: { auth }, required: ['auth'] };
  const type = {
    kind: 'email',
    title: 'Email',
    config_schema: { properties: { from, inbound }, required: ['from'] },
    secrets_schema: { properties: { inbound_secret: string } },
  };
  serve({ ...served, 'GET /api/v1/channel-types': () => list([type]), [`POST ${PATH}`]: post });
  show(<Channels />, { path: '/?create=true' });
  const dialog = within(await screen.findByRole('dialog'));
  const group = within(await dialog.findByRole('group', { name: 'Sender' }));
  const add = dialog.getByRole('button', { name: 'Add a channel' }) as HTMLButtonElement;
  expect(add.disabled).toBe(true);
  await userEvent.type(group.getByRole('textbox', { name: /Email address/ }), ' a@b.example');
  await userEvent.click(add);
  expect(post).toHaveBeenCalledWith(
    { kind: 'email', config: { from: { address: 'a@b.example' } }, secrets: {} },
    expect.anything(),
  );
  expect(await dialog.findByText('whsec_once')).toBeTruthy();
});

test('shows an error in an object at its field', async () => {
  const string = { type: 'string', maxLength: 100 };
  const smtp = { type: 'object', properties: { host: string, port: string }, required: ['host'] };
  const type = {
    kind: 'email',
    title: 'Email',
    config_schema: { properties: { smtp }, required: ['smtp'] },
    secrets_schema: {},
  };
  const errors = [{ pointer: '/config/smtp/host', code: 'blank', message: 'must not be blank' }];
  serve({
    ...served,
    'GET /api/v1/channel-types': () => list([type]),
    [`POST ${PATH}`]: () => problem(422, 'validation_failed', 'Wrong.', errors),
  });
  show(<Channels />, { path: '/?create=true' });
  const dialog = within(await screen.findByRole('dialog'));
  const host = await dialog.findByRole('textbox', { name: /Host/ });
  await userEvent.type(host, 'x');
  await userEvent.click(dialog.getByRole('button', { name: 'Add a channel' }));
  await vi.waitFor(() => expect(host.getAttribute('aria-invalid')).toBe('true'));
  expect(dialog.getByRole('textbox', { name: /Port/ }).getAttribute('aria-invalid')).not.toBe('true');
});

test('the mode of a Telegram bot is a choice', async () => {
  const post = vi.fn(() => ({ ...CHANNEL, kind: 'telegram' }));
  const string = { type: 'string', maxLength: 100 };
  const type = {
    kind: 'telegram',
    title: 'Telegram',
    config_schema: { properties: { mode: { ...string, enum: ['webhook', 'polling'] } } },
    secrets_schema: { properties: { bot_token: string }, required: ['bot_token'] },
  };
  serve({ ...served, 'GET /api/v1/channel-types': () => list([type]), [`POST ${PATH}`]: post });
  show(<Channels />, { path: '/?create=true' });
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(await dialog.findByLabelText(/Bot token/), '1:abc');
  await userEvent.click(dialog.getByRole('combobox', { name: /Incoming messages/ }));
  await userEvent.click(await screen.findByRole('option', { name: 'polling' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Add a channel' }));
  expect(post).toHaveBeenCalledWith(
    { kind: 'telegram', config: { mode: 'polling' }, secrets: { bot_token: '1:abc' } },
    expect.anything(),
  );
});

test('a Telegram bot needs only its token, and its chat is linked', async () => {
  const bot = { ...CHANNEL, kind: 'telegram', config: { url: null, bot_username: 'acme_bot' } };
  const post = vi.fn(() => bot);
  const patch = vi.fn(() => bot);
  const string = { type: 'string', maxLength: 100 };
  const type = {
    kind: 'telegram',
    title: 'Telegram',
    config_schema: { properties: { mode: { ...string, enum: ['webhook'] }, base_url: string } },
    secrets_schema: { properties: { bot_token: string }, required: ['bot_token'] },
  };
  const one = () => Response.json(bot, { headers: { ETag: '"1-a"' } });
  serve({
    ...served,
    'GET /api/v1/channel-types': () => list([type]),
    [`GET ${PATH}`]: () => list([bot]),
    [`GET ${PATH}/chan_1`]: one,
    [`PATCH ${PATH}/chan_1`]: patch,
    [`POST ${PATH}`]: post,
  });
  show(<Channels />, { path: '/?create=true' });
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(await dialog.findByLabelText(/Bot token/), '1:abc');
  expect(dialog.queryByRole('combobox')).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Add a channel' }));
  expect(post).toHaveBeenCalledWith(
    { kind: 'telegram', config: {}, secrets: { bot_token: '1:abc' } },
    expect.anything(),
  );
  await userEvent.click(await dialog.findByRole('button', { name: 'Open the channel' }));
  const chat = await screen.findByRole('link', { name: '@acme_bot' });
  expect(chat.getAttribute('href')).toBe('https://t.me/acme_bot');
  await userEvent.type(await screen.findByLabelText(/Bot token/), '1:new');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(patch).toHaveBeenCalledWith({ secrets: { bot_token: '1:new' } }, expect.anything());
});

test('connects a WhatsApp number after it is stored', async () => {
  const config = { url: null, phone_number_id: '106540', waba_id: '102290' };
  const line = { ...CHANNEL, kind: 'whatsapp', status: 'connecting', config, inbound_path: '/inbound/x' };
  const post = vi.fn(() => line);
  const string = { type: 'string', maxLength: 100 };
  const type = {
    kind: 'whatsapp',
    title: 'WhatsApp',
    config_schema: {
      properties: { phone_number_id: string, waba_id: string, graph_version: string },
      required: ['phone_number_id', 'waba_id'],
    },
    secrets_schema: {
      properties: { access_token: string, app_secret: string, pin: string },
      required: ['access_token', 'app_secret'],
    },
  };
  const one = () => Response.json(line, { headers: { ETag: '"1-a"' } });
  serve({
    ...served,
    'GET /api/v1/channel-types': () => list([type]),
    [`GET ${PATH}`]: () => list([line]),
    [`GET ${PATH}/chan_1`]: one,
    [`POST ${PATH}`]: post,
  });
  show(<Channels />, { path: '/?create=true' });
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(await dialog.findByLabelText(/Phone number ID/), '106540');
  await userEvent.type(dialog.getByLabelText(/WhatsApp Business account ID/), '102290');
  await userEvent.type(dialog.getByLabelText(/Access token/), 'EAAJ');
  await userEvent.type(dialog.getByLabelText(/App secret/), '614f');
  await userEvent.click(dialog.getByRole('button', { name: 'Add a channel' }));
  const secrets = { access_token: 'EAAJ', app_secret: '614f' };
  expect(post).toHaveBeenCalledWith(
    { kind: 'whatsapp', config: { phone_number_id: '106540', waba_id: '102290' }, secrets },
    expect.anything(),
  );
  expect(await dialog.findByText(/select “Connect”/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Open the channel' }));
  expect(await screen.findByRole('button', { name: 'Connect' })).toBeTruthy();
});

test('connects a Twilio number with its token, and sends an API key as an object', async () => {
  const texts = {
    ...CHANNEL,
    kind: 'sms',
    config: { url: null, account_sid: 'AC1', from: '+15005550006' },
    secret_hint: null,
  };
  const post = vi.fn(() => texts);
  const string = { type: 'string', maxLength: 100 };
  const api_key = {
    type: 'object',
    properties: { sid: string, secret: string },
    required: ['sid', 'secret'],
  };
  const type = {
    kind: 'sms',
    title: 'SMS',
    config_schema: { properties: { account_sid: string, from: string }, required: ['account_sid'] },
    secrets_schema: { properties: { auth_token: string, api_key }, required: ['auth_token'] },
  };
  serve({
    ...served,
    'GET /api/v1/channel-types': () => list([type]),
    [`GET ${PATH}`]: () => list([texts]),
    [`GET ${PATH}/chan_1`]: () => Response.json(texts, { headers: { ETag: '"1-a"' } }),
    [`POST ${PATH}`]: post,
  });
  show(<Channels />, { path: '/?create=true' });
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(await dialog.findByRole('textbox', { name: /Account SID/ }), 'AC1');
  await userEvent.type(dialog.getByRole('textbox', { name: /Number/ }), '+15005550006');
  await userEvent.type(dialog.getByLabelText(/Auth token/), 'abc');
  await userEvent.type(dialog.getByLabelText(/API key SID/), 'SK1');
  await userEvent.type(dialog.getByLabelText(/API key secret/), 'xyz');
  await userEvent.click(dialog.getByRole('button', { name: 'Add a channel' }));
  expect(post).toHaveBeenCalledWith(
    {
      kind: 'sms',
      config: { account_sid: 'AC1', from: '+15005550006' },
      secrets: { auth_token: 'abc', api_key: { sid: 'SK1', secret: 'xyz' } },
    },
    expect.anything(),
  );
  expect(await dialog.findByText(/The number is connected/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Open the channel' }));
  expect(await screen.findByText('+15005550006')).toBeTruthy();
});
