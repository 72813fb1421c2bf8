// Measures page changes: from a click on a link until the new page is painted and stays unchanged.
import { until } from './server.mjs';

/**
 * The milliseconds without a change of the page and without a pending request, after which a page is
 * complete.
 */
const QUIET = 250;

/** Records in the page the time of the last click and the time at which the last change was painted. */
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
  const isClock = ({ target }) => (target.nodeType === Node.TEXT_NODE ? target.parentElement : target)?.closest?.('time');
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

  /**
   * Clicks a link. Returns the milliseconds until `shown` is on the page and the page is complete, and the
   * number of requests.
   */
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
