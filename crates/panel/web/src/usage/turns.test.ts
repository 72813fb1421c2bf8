import { beforeEach, expect, test, vi } from 'vitest';
import { Turns } from './turns';

beforeEach(() => vi.useFakeTimers());

const REST = 15_000;

/** Turns with requests that wait until the test answers them. */
function asked() {
  const waiting: { answer: (could: boolean) => void; fail: (error: Error) => void }[] = [];
  const failing = vi.fn();
  const ask = vi.fn(() => new Promise<boolean>((answer, fail) => waiting.push({ answer, fail })));
  const turns = new Turns({ ask, rest: () => REST, failing });
  const given = async (give: (it: (typeof waiting)[number]) => void) => {
    const first = waiting.shift();
    if (first) give(first);
    await vi.advanceTimersByTimeAsync(0);
  };
  return {
    turns,
    ask,
    failing,
    answer: (could = true) => given((it) => it.answer(could)),
    fail: () => given((it) => it.fail(new Error('It is away.'))),
  };
}

test('requests new rows after a hint, and seldom without one', async () => {
  const { turns, ask, answer } = asked();
  turns.look();
  await answer();
  await vi.advanceTimersByTimeAsync(REST - 1);
  expect(ask).toHaveBeenCalledTimes(1);
  turns.more();
  expect(ask).toHaveBeenCalledTimes(2);
  await answer();
  await vi.advanceTimersByTimeAsync(REST - 1);
  expect(ask).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(3);
});

test('requests once more after hints during a request, one request at a time', async () => {
  const { turns, ask, answer } = asked();
  turns.more();
  turns.more();
  turns.more();
  expect(ask).toHaveBeenCalledTimes(1);
  await answer();
  expect(ask).toHaveBeenCalledTimes(2);
  await answer();
  await vi.advanceTimersByTimeAsync(REST - 1);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('waits longer after each failure, also if there are hints', async () => {
  const { turns, ask, answer, fail, failing } = asked();
  turns.look();
  await fail();
  expect(failing).toHaveBeenLastCalledWith(true);
  turns.more();
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_000);
  await fail();
  await vi.advanceTimersByTimeAsync(2_000);
  await fail();
  await vi.advanceTimersByTimeAsync(3_999);
  expect(ask).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(1);
  await answer();
  expect(failing).toHaveBeenLastCalledWith(false);
  turns.more();
  expect(ask).toHaveBeenCalledTimes(5);
});

test('soon repeats a request that could not be sent', async () => {
  const { turns, ask, answer } = asked();
  turns.look();
  await answer(false);
  await vi.advanceTimersByTimeAsync(500);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('sends no requests while the page is hidden, and after it ended', async () => {
  const { turns, ask, answer } = asked();
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  turns.look();
  turns.more();
  await vi.advanceTimersByTimeAsync(REST);
  expect(ask).not.toHaveBeenCalled();
  hidden.mockReturnValue(false);
  turns.look();
  expect(ask).toHaveBeenCalledTimes(1);
  turns.stop();
  await answer();
  turns.more();
  await vi.advanceTimersByTimeAsync(REST);
  expect(ask).toHaveBeenCalledTimes(1);
});
