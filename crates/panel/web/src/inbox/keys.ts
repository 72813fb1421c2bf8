import { useEffect, useRef } from 'react';

/** The action of a key in the inbox. */
export type KeyAction =
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'reply'
  | 'note'
  | 'end'
  | 'take'
  | 'undo'
  | 'select'
  | 'help';

/** Keys of the whole page, outside fields and dialogs. */
const PAGE: Record<string, KeyAction> = {
  j: 'next',
  k: 'previous',
  r: 'reply',
  n: 'note',
  e: 'end',
  a: 'take',
  z: 'undo',
  x: 'select',
  '?': 'help',
};

/** Keys of a focused row. Elsewhere the arrow keys scroll. */
const ROW: Record<string, KeyAction> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
};

/** Elements that use letters as text or to select an option, and dialogs. */
export const TYPING = [
  'input:not([type="radio"], [type="checkbox"])',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable="false"])',
  '[role="dialog"]',
  '[role="menu"]',
  '[role="listbox"]',
].join(', ');

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The action of a key on the page or in a row. With Ctrl, Alt or Command, the key belongs to the browser. */
export function keyAction(
  { key, ctrlKey, metaKey, altKey }: Pressed,
  on: 'page' | 'row',
): KeyAction | undefined {
  return ctrlKey || metaKey || altKey ? undefined : (on === 'page' ? PAGE : ROW)[key];
}

/** The index after a step in a list of this length. */
export function step(from: number, action: KeyAction, length: number): number | undefined {
  const to = { next: from + 1, previous: from - 1, first: 0, last: length - 1 }[action as string];
  return to !== undefined && to >= 0 && to < length ? to : undefined;
}

/** Runs the actions of keys that are pressed anywhere on the page, except in a field, a menu or a dialog. */
export function useKeys(actions: Partial<Record<KeyAction, () => void>>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const action = keyAction(event, 'page');
      const run = action && latest.current[action];
      if (!run || (event.target as Element | null)?.closest?.(TYPING)) return;
      const isStep = action === 'next' || action === 'previous';
      if (event.repeat && !isStep) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
