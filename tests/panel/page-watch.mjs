// Measures page changes: from a click on a link until the new page is painted and nothing changes on it any more.
import { until } from './server.mjs';

/** For so long a page must not change, and no request may be on its way. */
const QUIET = 250;

/** Notes in the page the time of the last click, and the time at which the last change was painted. */
function note() {
  const watch = { clicked: 0, changed: 0, painted: 0 };
  window.watch = watch;
  const paint = () => requestAnimationFrame(() => setTimeout(() => {
    watch.painted = performance.now();
  }));
  document.addEventListener('click', (event) => {
    watch.clicked = event.timeStamp;
    watch.changed = event.timeStamp;
    paint();
  }, { capture: true });
  // Relative times change with the clock.
  const isClock = ({ target }) => (target.nodeType === Node.TEXT_NODE ? target.parentElement : target)?.closest('time');
  new MutationObserver((changes) => {
    if (changes.every(isClock)) return;
    watch.changed = performance.now();
    paint();
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** The measurements of a page. */
export class PageWatch {
  constructor(page) {
    this.page = page;
    this.waiting = new Set();
    this.asked = 0;
    const isOf = (request) => !new URL(request.url()).pathname.endsWith('/stream');
    page.on('request', (request) => {
      if (!isOf(request)) return;
      this.waiting.add(request);
      this.asked += 1;
    });
    for (const event of ['requestfinished', 'requestfailed']) page.on(event, (request) => this.waiting.delete(request));
  }

  static async of(page) {
    await page.addInitScript(note);
    return new PageWatch(page);
  }

  /** Clicks a link, and returns the milliseconds until `shown` is on the page and the page is quiet, and its requests. */
  async change(link, shown) {
    this.asked = 0;
    await link.click();
    await shown();
    const times = await until('the page is quiet', () => this.quiet(), 30);
    return { time: times.painted - times.clicked, requests: this.asked };
  }

  async quiet() {
    if (this.waiting.size > 0) return undefined;
    const times = await this.page.evaluate(() => ({ ...window.watch, now: performance.now() }));
    const isStill = this.waiting.size === 0 && times.painted >= times.changed && times.now - times.changed > QUIET;
    return isStill && !(await this.page.locator('.mantine-Skeleton-root').count()) ? times : undefined;
  }
}
