/** What a key means while the list has the focus. */
export type KeyAction = 'next' | 'previous' | 'open' | 'reply' | 'note' | 'end' | 'take' | 'first' | 'last';

const KEYS: Record<string, KeyAction> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
  Enter: 'open',
  r: 'reply',
  n: 'note',
  e: 'end',
  a: 'take',
};

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** With Ctrl, Alt or the command key a press belongs to the browser. */
export function keyAction({ key, ctrlKey, metaKey, altKey }: Pressed): KeyAction | undefined {
  return ctrlKey || metaKey || altKey ? undefined : KEYS[key];
}

/** Where a step leads in a list of this length. */
export function step(from: number, action: KeyAction, length: number): number | undefined {
  const to = { next: from + 1, previous: from - 1, first: 0, last: length - 1 }[action as string];
  return to !== undefined && to >= 0 && to < length ? to : undefined;
}
