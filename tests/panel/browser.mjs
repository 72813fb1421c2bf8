// A browser that records what a page must not do.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

export function launch() {
  return chromium.launch({ executablePath: process.env.TEST_CHROMIUM, args: QUIET });
}

/**
 * A visitor with an empty browser. `faults` collects errors, requests to other origins and blocked requests.
 */
export async function visitor(browser, origin, options = {}) {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    ...options,
  });
  const faults = [];
  const addresses = [];
  context.on('request', (request) => {
    addresses.push(request.url());
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) {
      faults.push(`a request to the outside: ${request.url()}`);
    }
  });
  context.on('page', (page) => {
    page.on('pageerror', (error) => faults.push(`an error: ${error.message}`));
    page.on('console', (message) => {
      // The page shows a failed request. The browser's own message is ignored.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(`console: ${message.text()}`);
    });
    page.on('dialog', (dialog) => {
      // A page with unsaved changes asks before a test opens another page.
      if (dialog.type() === 'beforeunload') return void dialog.accept();
      faults.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  const page = await context.newPage();
  return { context, page, faults, addresses };
}

export async function signIn(page, { email, password }) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}

/** Waits until the page has loaded all data, including charts, in English or German. */
export async function rest(page) {
  await page.getByLabel(/Loading|Wird geladen/i).first().waitFor({ state: 'detached' });
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready);
}

/** Whether an element appears within two seconds. Data arrives after the page. */
export const comes = (locator) => locator.waitFor({ timeout: 2000 }).then(
  () => true,
  () => false,
);

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * A check of the page. The panel has no frames of other origins. The legacy mode checks all others, and opens no second
 * page for the results. Only violations are described: the elements that pass are many.
 */
const axe = (page) => new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();

/** The violations of WCAG 2.2 A and AA on the page, one per line. */
export const violations = (page) => found(axe(page).withTags(TAGS));

/** The violations that can differ between languages: all except contrast, which takes most of the time. */
export const violationsOfTexts = (page) => found(axe(page).withTags(TAGS).disableRules(['color-contrast']));

/** The texts on the page with too little contrast to their background, one per line. */
export const contrast = (page) => found(axe(page).withRules(['color-contrast']));

async function found(check) {
  const { violations } = await check.analyze();
  return violations.flatMap((it) => it.nodes.map((node) => `${it.id}: ${node.target.join(' ')} (${node.failureSummary?.split('\n').at(1)?.trim()})`));
}

/** The controls outside of the window that the user cannot scroll to. */
export const beyond = (page) => page.evaluate(() => {
  const isScrolled = (it) => {
    for (let at = it.parentElement; at; at = at.parentElement) {
      if (at.classList.contains('react-flow')) return true;
      if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
    }
    return false;
  };
  const operated = 'a[href], button, input, select, textarea, [role="button"], [role="tab"], [role="combobox"], [role="radio"]';
  return [...document.querySelectorAll(operated)].flatMap((it) => {
    if (!it.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
    const { left, right, width, height } = it.getBoundingClientRect();
    // Elements only for screen readers have no size.
    if (width <= 1 || height <= 1 || (left >= -1 && right <= window.innerWidth + 1) || isScrolled(it)) return [];
    return [`${it.tagName.toLowerCase()} "${it.getAttribute('aria-label') ?? it.textContent}" from ${Math.round(left)} to ${Math.round(right)}`];
  });
});

/**
 * The buttons with only an icon that are smaller than 24 by 24 pixels, and the copy buttons that are smaller than 28 by 28.
 * The API reference has buttons of its own. Buttons in pills have a larger target than box.
 */
export const smallButtons = (page) => page.evaluate(() => [...document.querySelectorAll('button[class*="mantine-"]:not(.mantine-Pill-remove)')].flatMap((it) => {
  const { width, height } = it.getBoundingClientRect();
  const isCopy = it.querySelector('.tabler-icon-copy');
  if ((!isCopy && !it.matches('.mantine-ActionIcon-root, .mantine-CloseButton-root, .mantine-InputClearButton-root, .mantine-NumberInput-control')) || width === 0) return [];
  const least = isCopy ? 27.9 : 23.9;
  return width >= least && height >= least ? [] : [`"${it.getAttribute('aria-label') ?? it.textContent}" is ${width} by ${height}`];
}));

/** Saves a screenshot of the page under this name. */
export async function picture(page, name) {
  const folder = process.env.TEST_SCREENSHOTS;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
}
