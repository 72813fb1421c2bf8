/** The number of concurrent requests of a bulk action. */
export const AT_ONCE = 4;

export interface Failure<Item> {
  item: Item;
  error: unknown;
}

interface Running {
  /** Called after each item. */
  onProgress?: (done: number) => void;
  /** Aborting it prevents further items from being started. */
  signal?: AbortSignal;
}

export interface Outcome<Item> {
  done: Item[];
  failed: Failure<Item>[];
  /** The items that were not started. */
  left: Item[];
}

/** Runs an action on each item, with limited concurrency. A failure does not stop the others. */
export async function runEach<Item>(
  items: Item[],
  act: (item: Item) => Promise<unknown>,
  { onProgress, signal }: Running = {},
): Promise<Outcome<Item>> {
  const outcome: Outcome<Item> = { done: [], failed: [], left: [...items] };
  const work = async () => {
    while (!signal?.aborted) {
      const item = outcome.left.shift();
      if (item === undefined) return;
      try {
        await act(item);
        outcome.done.push(item);
      } catch (error) {
        outcome.failed.push({ item, error });
      }
      onProgress?.(outcome.done.length + outcome.failed.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcome;
}
