// Operates pages as a user does, and counts the clicks, drags and keys of each task.
import assert from 'node:assert/strict';

/** The mouse and the keyboard of one user. Counted tests operate the page only with them. */
export class Hands {
  constructor(page) {
    this.page = page;
    this.clicks = 0;
    this.keys = 0;
    this.tasks = [];
  }

  async click(locator) {
    this.clicks += 1;
    await locator.click();
  }

  /** Types into the focused field. */
  async type(text) {
    this.keys += [...text].length;
    await this.page.keyboard.type(text);
  }

  /** Presses keys one after another. A combination such as `Control+Enter` counts as one. */
  async press(...keys) {
    for (const key of keys) {
      this.keys += 1;
      await this.page.keyboard.press(key);
    }
  }

  /** Moves the focus to an element with the tab key, or backwards with `Shift+Tab`. */
  async tabTo(element, key = 'Tab') {
    await this.repeat(key, () => element.evaluate((it) => it === document.activeElement), element);
  }

  /** Selects an item of an open menu with the arrow keys. */
  async menuItem(name) {
    const menu = this.page.getByRole('menu');
    const item = menu.getByRole('menuitem', { name, exact: true });
    await item.waitFor();
    // A menu takes the focus shortly after it opens.
    await menu.locator(':focus').waitFor({ state: 'attached' });
    await this.repeat('ArrowDown', () => item.evaluate((it) => it === document.activeElement), item);
    await this.press('Enter');
  }

  /** Selects an option of a focused list with the arrow keys. */
  async option(name) {
    await this.press('ArrowDown');
    const option = this.page.getByRole('option', { name });
    await option.waitFor();
    await this.repeat('ArrowDown', () => option.evaluate((it) => it.hasAttribute('data-combobox-selected')), option);
    await this.press('Enter');
    await option.waitFor({ state: 'detached' });
  }

  /** Presses a key until it has reached an element. */
  async repeat(key, isReached, element) {
    for (let presses = 0; presses < 40; presses += 1) {
      if (await isReached()) return;
      await this.press(key);
    }
    assert.fail(`${key} does not reach ${element}`);
  }

  /** Opens a list of options by a click, filters it, and selects the only option by keyboard. */
  async pick(combobox, option, words = option) {
    await this.click(combobox);
    await this.press('Control+a');
    await this.type(words);
    await this.page.getByRole('option', { name: option }).waitFor();
    await this.press('ArrowDown', 'Enter');
  }

  /** Drags from one point of the window to another. A drag counts as a click. */
  async drag(from, to) {
    this.clicks += 1;
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(to.x, to.y, { steps: 8 });
    await mouse.up();
  }

  /** Chooses a file. The click opens a browser dialog, which a test cannot operate. */
  async upload(button, file) {
    const chooser = this.page.waitForEvent('filechooser');
    await this.click(button);
    await (await chooser).setFiles(file);
  }

  /**
   * Does a task and measures it. `limit` is the maximum number of clicks, `most` the maximum number of seconds.
   * `before` describes an earlier result.
   */
  async task(name, { limit, most, before = '' }, act) {
    const [clicks, keys, start] = [this.clicks, this.keys, performance.now()];
    await act();
    const seconds = (performance.now() - start) / 1_000;
    const task = { name, clicks: this.clicks - clicks, keys: this.keys - keys, seconds, before };
    this.tasks.push(task);
    assert.ok(limit === undefined || task.clicks <= limit, `${name}: ${task.clicks} clicks, more than ${limit}`);
    assert.ok(most === undefined || seconds <= most, `${name}: ${seconds.toFixed(1)} seconds, more than ${most}`);
    return task;
  }
}

const HEADINGS = ['task', 'clicks', 'keys', 'seconds', 'before'];

/** Formats the tasks as a table, one per line. */
export function tableOf(tasks) {
  const cells = tasks.map((it) => [it.name, `${it.clicks}`, `${it.keys}`, it.seconds.toFixed(1), it.before]);
  const rows = [HEADINGS, ...cells];
  const widths = HEADINGS.map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at])).join('  ').trimEnd());
}

/** The middle of an element in the window, after it stopped moving. */
export async function middleOf(locator) {
  await (await locator.elementHandle()).waitForElementState('stable');
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}
