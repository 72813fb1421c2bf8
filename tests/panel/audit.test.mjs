// The audit log shows admins who changed what, with the old values, filters and links to the objects.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { comes, launch, picture, rest, signIn, violations, visitor } from './browser.mjs';
import { Server } from './server.mjs';

let server, browser, page, faults, token;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ page, faults } = await visitor(browser, server.origin));
  await signIn(page, server.made);
  const { email, password } = server.made;
  ({ access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } }));
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('the audit log shows old and new values, and links to the changes of the object', async () => {
  const key = server.made.key;
  const tag = await server.done('POST', '/api/v1/tags', { token: key, body: { name: 'VIP' } });
  await server.done('PATCH', `/api/v1/tags/${tag.id}`, { token, workspace: server.made.workspace_id, body: { name: 'Gold' } });
  for (const value of ['never to be told', 'nor is this']) {
    await server.done('PUT', '/api/v1/secrets/CRM_TOKEN', { token: key, body: { value, hosts: ['api.crm.example'] } });
  }
  await page.goto('/settings/audit-log');
  await page.getByRole('row', { name: /Tag: updated.*Gold.*Name/ }).click();
  const entry = page.getByRole('complementary', { name: 'Change' });
  await entry.getByRole('row', { name: 'Name VIP Gold' }).waitFor();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await picture(page, `audit-entry-${colorScheme}`);
    assert.deepEqual(await violations(page), []);
  }
  await entry.getByRole('button', { name: 'All changes of this object' }).click();
  await page.waitForURL((address) => address.searchParams.get('object') === tag.id);
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /Secret: created/ }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('row', { name: /Tag: (created|updated)/ }).count(), 2);

  await page.goto('/settings/audit-log?type=secret');
  await page.getByRole('row', { name: /Secret: replaced/ }).click();
  await entry.getByText('changed; the audit log does not store this value').waitFor();
  const shown = await page.content();
  for (const value of ['never to be told', 'nor is this']) assert.equal(shown.includes(value), false);
  await page.goto('/settings/audit-log?from=2001-01-01&to=2001-01-31');
  await page.getByText('No entry matches the filters').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('row', { name: /Secret: created/ }).waitFor();
  assert.deepEqual(faults, []);
});

test('hides the audit log from members who are not admins', async () => {
  const { workspace_id: ws } = server.made;
  const lee = { email: 'lee@example.com', password: 'a long enough password' };
  const { invitation_token: open } = await server.done('POST', `/platform/workspaces/${ws}/members`, { token, body: { email: lee.email, role: 'member' } });
  await server.done('POST', `/auth/invitations/${open}`, { body: { name: 'Lee', password: lee.password } });
  const other = await visitor(browser, server.origin);
  await signIn(other.page, lee);
  await other.page.getByRole('link', { name: 'Settings', exact: true }).click();
  await other.page.getByRole('link', { name: 'Profile' }).waitFor();
  assert.equal(await comes(other.page.getByRole('link', { name: 'Audit log' })), false);
  await other.page.goto('/settings/audit-log');
  await other.page.getByText('Only admins can see the audit log').waitFor();
  await rest(other.page);
  await other.context.close();
});
