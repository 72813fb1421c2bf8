// Takes the pictures of docs/reference/panel.md: every page of an example workspace, light and dark. With
// `all`, also in German and on a phone, for checking the look of the pages.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { comes, launch, picture, rest, signIn, visitor } from './browser.mjs';
import { furnish } from './furnish.mjs';
import { Server, until } from './server.mjs';
import { doorsOf, shotsOf } from './shots.mjs';
import { wordsOf } from './words.mjs';

const SCHEMES = ['light', 'dark'];
const LOOK = { locale: 'en-GB', timezoneId: 'Europe/London' };
const [wanted, ...only] = process.argv.slice(2);
const isAll = wanted === 'all';
const LANGUAGES = isAll ? ['en', 'de'] : ['en'];
const WIDE = { width: 1440, height: 900 };
const SIZES = isAll ? [WIDE, { width: 390, height: 844 }] : [WIDE];

/** The file name of a picture. The documentation's pictures only contain the scheme. */
const nameOf = (name, language, scheme, { width }) => (isAll ? `${name}-${language}-${width}-${scheme}` : `${name}-${scheme}`);
/** The names after `all` select pages. */
const isWanted = ([name]) => only.length === 0 || only.includes(name);

const [server, browser] = await Promise.all([Server.start(), launch()]);
const faults = [];
let example;
try {
  example = await furnish(server);
  for (const language of LANGUAGES) {
    const t = wordsOf(language);
    const shots = Object.entries(shotsOf(example, t)).filter(isWanted);
    // The pictures of the live workspace contain requests that programs send in the background, so they are
    // taken last.
    for (const place of [example.sandbox, example.live]) {
      const here = shots.filter(([, [where]]) => where === place);
      await inside(place, here, language);
    }
    await outside(Object.entries(doorsOf(example, t)).filter(isWanted), language);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
} finally {
  await example?.end();
  await browser.close();
  await server.stop();
}

/** Takes the pictures of a workspace's pages as a signed-in user. */
async function inside(place, shots, language) {
  const { page, context, faults: found } = await visitor(browser, server.origin, LOOK);
  await setLanguage('en');
  await signIn(page, example.owner);
  await setLanguage(language);
  for (const [name, [, path, open]] of shots) {
    for (const scheme of SCHEMES) {
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}ws=${place.id}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await rest(page);
      // A page that fails to open is still taken, and the program fails at its end.
      await open?.(page).catch((error) => faults.push(`${name}, ${language}: ${error.message}`));
      await taken(page, name, language, scheme);
    }
  }
  faults.push(...found);
  await context.close();
}

/** Takes the pictures of the pages for visitors who are not signed in. */
async function outside(doors, language) {
  const { page, context, faults: found } = await visitor(browser, server.origin, LOOK);
  await page.goto('/login');
  // The language of a visitor without an account.
  await page.evaluate((it) => localStorage.setItem('tidings-language', it), language);
  for (const [name, [path, heading]] of doors) {
    for (const scheme of SCHEMES) {
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await until(`${name} is shown`, async () => {
        await page.goto(path);
        return comes(page.getByRole('heading', { name: heading, level: 1 }));
      });
      await taken(page, name, language, scheme);
    }
  }
  faults.push(...found);
  await context.close();
}

/** Stores the language in the owner's account. The next opened page uses it. */
async function setLanguage(language) {
  const { email, password } = example.owner;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  await server.done('PATCH', '/auth/me', { token, body: { language } });
}

/** Takes pictures of the page in all sizes, with the pointer outside of its elements. */
async function taken(page, name, language, scheme) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await rest(page);
    await page.mouse.move(size.width / 2, 24);
    await still(page);
    const file = nameOf(name, language, scheme, size);
    await picture(page, file);
    squeeze(join(process.env.TEST_SCREENSHOTS, `${file}.png`));
  }
}

/** Waits until the page has not changed for a moment, at most some seconds. */
function still(page) {
  return page.evaluate(() => new Promise((on) => {
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(on, 500);
    };
    const changes = new MutationObserver(wait);
    changes.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    wait();
    setTimeout(on, 4_000);
  }));
}

/** Compresses a picture if `pngquant` is installed. */
function squeeze(path) {
  spawnSync('pngquant', ['--force', '--skip-if-larger', '--quality', '70-95', '--ext', '.png', path]);
}
