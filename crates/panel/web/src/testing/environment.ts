import { builtinEnvironments, type Environment } from 'vitest/environments';
import { addBrowserFeatures } from './browser-features';
import { resetPage } from './page';

/** The page of the process. React, Mantine and Testing Library keep references to it, so it is created once. */
let page: Promise<void> | undefined;

async function startPage(...params: Parameters<typeof builtinEnvironments.jsdom.setup>): Promise<void> {
  await builtinEnvironments.jsdom.setup(...params);
  addBrowserFeatures();
  recordIntervals();
}

/** The intervals of the current file. */
const intervals: ReturnType<typeof setInterval>[] = [];

/** Some modules of the panel start an interval that ends with the page of a browser. */
function recordIntervals(): void {
  const { setInterval } = globalThis;
  const recorded = (...args: Parameters<typeof setInterval>) => {
    const interval = setInterval(...args);
    intervals.push(interval);
    return interval;
  };
  globalThis.setInterval = Object.assign(recorded, setInterval);
}

/** jsdom with one page for all files that a process runs. The page is reset after each file. */
export default {
  name: 'jsdom-page',
  transformMode: 'web',
  async setup(global, options) {
    page ??= startPage(global, options);
    await page;
    return {
      teardown: () => {
        for (const interval of intervals.splice(0)) clearInterval(interval);
        resetPage();
      },
    };
  },
} satisfies Environment;
