// The documentation at /docs/guide is read and searched without scripts, in a wide and a narrow window.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, picture, violations, visitor } from './browser.mjs';
import { Server } from './server.mjs';

let server, browser;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const [name, options] of [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
]) {
  test(`the contents and the search lead to a page: ${name}`, async () => {
    // Scripts are disabled, because the pages need none.
    const { context, page, faults } = await visitor(browser, server.origin, { javaScriptEnabled: false, ...options });
    await page.goto('/docs/guide');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('searchbox').fill('rotate webhook secret');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search: rotate webhook secret' }).waitFor();
    await page.getByRole('main').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.match(page.url(), /\/docs\/guide\/.+#/);
    await picture(page, `guide-${name}`);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test('the longest page fits a phone and passes the accessibility checks', async () => {
  const phone = { viewport: { width: 390, height: 844 } };
  const { context, page, faults } = await visitor(browser, server.origin, phone);
  await page.goto('/docs/guide/reference/flows');
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});
