import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { problem, serve, show } from '../settings/testing';
import { inboundUrl } from './api';
import { Channels } from './page';

const AT = '2026-01-01T00:00:00.000Z';
const CHANNEL = {
  id: 'chan_1',
  kind: 'http',
  name: 'Support chat',
  is_default: true,
  status: 'connected',
  capabilities: { types: ['text'], quick_replies: 3, inbound: true, receipts: true },
  config: { url: 'https://p.example/messages' },
  inbound_path: '/inbound/guess',
  secret_hint: 'abcd',
  last_error: null,
  connected_at: AT,
  created_at: AT,
  updated_at: AT,
  version: 1,
};
const list = (data: unknown[]) => ({ data, next_cursor: null });
const PATH = '/api/v1/channels';
const URL_SCHEMA = {
  properties: { url: { type: 'string', format: 'uri', title: 'URL', maxLength: 2048 } },
  required: ['url'],
};
const TYPES = [
  { kind: 'sandbox', title: 'Sandbox', config_schema: {}, secrets_schema: {}, fixed: [] },
  { kind: 'http', title: 'HTTP', config_schema: URL_SCHEMA, secrets_schema: {}, fixed: [] },
];
const served = {
  'GET /api/v1/channel-types': () => list(TYPES),
  [`GET ${PATH}`]: (_: unknown, request: Request) => {
    const status = new URL(request.url).searchParams.get('status');
    const all = [CHANNEL, { ...CHANNEL, id: 'chan_2', name: 'SMS', status: 'disconnected' }];
    return list(all.filter((it) => !status || it.status === status));
  },
  [`GET ${PATH}/chan_1`]: () => Response.json(CHANNEL, { headers: { ETag: '"1-a"' } }),
  [`GET ${PATH}/chan_1/captured`]: () => list([]),
  [`GET ${PATH}/chan_1/unparsed`]: () => list([]),
};

test('the address filters by state', async () => {
  serve(served);
  show(<Channels />, { path: '/?state=disconnected' });
  expect(await screen.findByText('SMS')).toBeTruthy();
  expect(screen.queryByText('Support chat')).toBeNull();
});

test('a channel that the filters leave out is opened all the same', async () => {
  serve(served);
  show(<Channels />, { path: '/?state=disconnected&channel=chan_1' });
  expect(await screen.findByRole('dialog', { name: 'Support chat' })).toBeTruthy();
});

test('a channel is made with what its kind needs, and its secret is shown once', async () => {
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

test('objects of a configuration are groups of fields, and a generated secret is shown once', async () => {
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

test('the problems of a channel at its provider are shown', async () => {
  const problems = [
    { code: 'webhook_taken', message: 'Elsewhere.', since: AT },
    { code: 'of_a_later_version', message: 'Something else.', since: AT },
  ];
  const health = {
    state: 'failing',
    last_inbound_at: AT,
    last_sent_at: null,
    failing_since: AT,
    webhook: { ok: false, pending: 3, last_error: 'Connection timed out' },
    limits: {},
    credential_expires_at: null,
    problems,
    checked_at: AT,
  };
  serve({ ...served, [`GET ${PATH}`]: () => list([{ ...CHANNEL, health }]) });
  show(<Channels />, { path: '/?channel=chan_1' });
  const dialog = within(await screen.findByRole('dialog', { name: 'Support chat' }));
  expect(await screen.findByText('Connection timed out')).toBeTruthy();
  expect(await dialog.findByText('has problems')).toBeTruthy();
  const states = screen.getAllByText('connected, with problems');
  expect(states.map((it) => it.dataset.tone)).toEqual(['bad', 'bad']);
  expect(dialog.getByText(/sends messages of contacts to another address/)).toBeTruthy();
  expect(dialog.getByText('Something else.')).toBeTruthy();
  expect(dialog.queryByText('Last sent message')).toBeNull();
});

/** Opens a channel whose token ends after this many days. */
async function openWithToken(days: number) {
  const health = {
    state: 'ok',
    last_inbound_at: null,
    last_sent_at: null,
    failing_since: null,
    webhook: { ok: true, pending: null, last_error: null },
    limits: { quality_rating: 'GREEN', messaging_limit: 'TIER_2K', of_a_later_version: 7 },
    credential_expires_at: new Date(Date.now() + days * 86_400_000).toISOString(),
    problems: [],
    checked_at: AT,
  };
  serve({ ...served, [`GET ${PATH}`]: () => list([{ ...CHANNEL, health }]) });
  show(<Channels />, { path: '/?channel=chan_1' });
  return within(await screen.findByRole('dialog', { name: 'Support chat' }));
}

test('the limits of the provider are shown, and a token that ends within a week is a warning', async () => {
  const dialog = await openWithToken(6.9);
  expect(await dialog.findByText('2,000 in 24 hours')).toBeTruthy();
  expect(dialog.getByText('high')).toBeTruthy();
  expect(dialog.getByText('of_a_later_version')).toBeTruthy();
  expect(dialog.getByText('in 6 days')).toBeTruthy();
  expect(dialog.getByText(/The token expires soon/)).toBeTruthy();
});

test('a token that ends later is no warning', async () => {
  const dialog = await openWithToken(8.1);
  expect(await dialog.findByText('in 8 days')).toBeTruthy();
  expect(dialog.queryByText(/The token expires soon/)).toBeNull();
});

test('the inbound URL has the public address of the server, if it is known', () => {
  const inbound_url = 'https://public.example/inbound/guess';
  expect(inboundUrl({ ...CHANNEL, inbound_url })).toBe(inbound_url);
  expect(inboundUrl({ inbound_path: CHANNEL.inbound_path })).toBe(`${window.location.origin}/inbound/guess`);
});

test('a fault in an object is shown at its field', async () => {
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

test('a WhatsApp number is connected after it was stored', async () => {
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

test('a number of Twilio is connected with its token, and an API key is sent as an object', async () => {
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

test('an emptied member that is not required is removed', async () => {
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

test('the longest wait of messages is changed', async () => {
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

test('messages are not sent while the provider rejects the channel', async () => {
  const patch = vi.fn(() => CHANNEL);
  await openWaiting(patch);
  await userEvent.click(screen.getByRole('combobox', { name: 'If the provider rejects the channel' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Messages are not sent' }));
  expect(screen.queryByRole('group', { name: /Longest wait/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  const while_disconnected = { mode: 'suppress', for: 'PT24H' };
  await vi.waitFor(() => expect(patch).toHaveBeenCalledWith({ while_disconnected }, expect.anything()));
});

test('a wait that is too long is a fault of its field', async () => {
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

test('a replaced secret that signs requests has an overlap, and others have none', async () => {
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

test('a secret that a new address needs again is requested at its field', async () => {
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

test('the inbound URL has the public address of the server if the server names it', async () => {
  const inbound_url = 'https://public.example/inbound/guess';
  serve({ ...served, [`GET ${PATH}`]: () => list([{ ...CHANNEL, inbound_url }]) });
  show(<Channels />, { path: '/?channel=chan_1' });
  expect(await screen.findByText(inbound_url)).toBeTruthy();
});

test('deleting shows what depends on it, and goes on only when asked again', async () => {
  const asked: string[] = [];
  serve({
    ...served,
    [`DELETE ${PATH}/chan_1`]: (_, request) => {
      const { search } = new URL(request.url);
      asked.push(search);
      if (search) return { default_channel: null };
      const dependents = [{ type: 'flow', id: 'flow_1', name: 'Welcome' }];
      return Response.json({ code: 'in_use', detail: 'In use.', status: 409, dependents }, { status: 409 });
    },
  });
  show(<Channels />, { path: '/?channel=chan_1' });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Support chat?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete channel' }));
  expect(await within(dialog).findByText('Welcome')).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete anyway' }));
  await vi.waitFor(() => expect(asked).toEqual(['', '?force=true']));
});

test('the messages of a channel show the contact by name, the direction, the text, the status and the time', async () => {
  const sent = {
    id: 'msg_1',
    contact_id: 'contact_1',
    direction: 'outbound',
    status: 'failed',
    text: 'Your bike is ready',
    template: null,
    attachments: [],
    created_at: AT,
  };
  serve({
    ...served,
    [`GET ${PATH}/chan_1/captured`]: () => list([sent]),
    'POST /api/v1/contacts/search': () => list([{ id: 'contact_1', name: 'Ada Lovelace' }]),
  });
  show(<Channels />, { path: '/?channel=chan_1' });
  const messages = within(await screen.findByRole('region', { name: 'Messages' }));
  expect(await messages.findByRole('link', { name: 'Ada Lovelace' })).toBeTruthy();
  expect(messages.getByRole('img', { name: 'sent' })).toBeTruthy();
  expect(messages.getByText('Your bike is ready')).toBeTruthy();
  expect(messages.getByText('failed').dataset.tone).toBe('bad');
  expect(messages.getByRole('row', { name: /Ada/ }).querySelector('time')?.dateTime).toBe(AT);
});

const UNPARSED = {
  id: 'unp_1',
  received_at: AT,
  reason: 'the body has no `update_id`',
  size: 14,
  excerpt: '{"message":{}}',
};

test('admins see the requests that were not understood, with time, reason and body', async () => {
  serve({ ...served, [`GET ${PATH}/chan_1/unparsed`]: () => list([UNPARSED]) });
  show(<Channels />, { path: '/?channel=chan_1' });
  const title = await screen.findByRole('heading', { name: 'Requests that were not understood' });
  const section = within(title.parentElement as HTMLElement);
  expect(section.getByText('the body has no `update_id`')).toBeTruthy();
  expect(section.getByText('{"message":{}}')).toBeTruthy();
  expect(section.getByRole('listitem').querySelector('time')?.dateTime).toBe(AT);
});

test('shows the newest requests that were not understood, and the others on demand', async () => {
  const requests = ['a', 'b', 'c', 'd'].map((it) => ({ ...UNPARSED, id: it, size: 3_000, excerpt: it }));
  serve({ ...served, [`GET ${PATH}/chan_1/unparsed`]: () => list(requests) });
  show(<Channels />, { path: '/?channel=chan_1' });
  expect(await screen.findByText('c')).toBeTruthy();
  expect(screen.queryByText('d')).toBeNull();
  expect(screen.getAllByText('3 kB')).toHaveLength(3);
  await userEvent.click(screen.getByRole('button', { name: 'Show all 4 requests' }));
  expect(screen.getByText('d')).toBeTruthy();
});

test('a list of requests that fails names itself, and is read again', async () => {
  let fails = true;
  const unparsed = () => (fails ? problem(500, 'internal', 'It broke.') : list([UNPARSED]));
  serve({ ...served, [`GET ${PATH}/chan_1/unparsed`]: unparsed });
  show(<Channels />, { path: '/?channel=chan_1' });
  const title = await screen.findByRole('heading', { name: 'Requests that were not understood' });
  fails = false;
  const section = within(title.parentElement as HTMLElement);
  await userEvent.click(section.getByRole('button', { name: 'Try again' }));
  expect(await section.findByText('{"message":{}}')).toBeTruthy();
});

test('members do not request the requests that were not understood', async () => {
  const { asked } = serve({ ...served, [`GET ${PATH}/chan_1/unparsed`]: () => list([UNPARSED]) });
  show(<Channels />, { role: 'member', path: '/?channel=chan_1' });
  expect(await screen.findByText('This channel has not sent any messages yet.')).toBeTruthy();
  expect(asked).not.toContain(`GET ${PATH}/chan_1/unparsed`);
  expect(screen.queryByText('Requests that were not understood')).toBeNull();
});

test('a member may write, but not delete', async () => {
  serve(served);
  show(<Channels />, { role: 'member', path: '/?channel=chan_1' });
  expect(await screen.findByRole('button', { name: 'Send a test' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
});

test('a channel is in German, too', async () => {
  const last_error = 'The connection was refused.';
  serve({
    ...served,
    [`GET ${PATH}`]: () => list([{ ...CHANNEL, last_error }]),
    [`GET ${PATH}/chan_1/unparsed`]: () => list([UNPARSED]),
  });
  await inLanguage('de', async () => {
    show(<Channels />, { path: '/?channel=chan_1' });
    const dialog = await screen.findByRole('dialog', { name: 'Support chat' });
    expect(within(dialog).getByText('verbunden')).toBeTruthy();
    expect(within(dialog).getByText('Die Verbindung wurde abgelehnt.')).toBeTruthy();
    expect(within(dialog).getByText(/bis zu 3 Antwortvorschläge/)).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Trennen' })).toBeTruthy();
    expect(await within(dialog).findByRole('heading', { name: 'Nicht verstandene Anfragen' })).toBeTruthy();
  });
});
