import { useEffect, useRef } from 'react';
import { isTyping } from '../canvas/use-keys';
import { copied, nodesIn, pasted } from '../graph/clipboard';
import type { useDraft } from './use-draft';

interface Keys {
  draft: Pick<ReturnType<typeof useDraft>, 'definition' | 'change' | 'undo' | 'redo'>;
  selected: readonly string[];
  select: (ids: string[]) => void;
}

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target' | 'preventDefault'
>;

/** Undo, redo, copy and paste by keyboard. Nodes are copied as text. */
export function useEditKeys({ draft, selected, select }: Keys) {
  const { definition } = draft;
  const copy = () => {
    const text = copied(definition, selected);
    if (text) void navigator.clipboard.writeText(text);
  };
  const paste = async () => {
    const nodes = nodesIn(await navigator.clipboard.readText().catch(() => ''));
    if (nodes.length === 0) return false;
    const { definition: next, ids } = pasted(definition, nodes, definition.layout);
    draft.change(next);
    select(ids);
    return true;
  };
  const onKeyDown = (event: Pressed) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.target && isTyping(event.target)) return;
    const key = event.key.toLowerCase();
    const act =
      key === 'z' ? (event.shiftKey ? draft.redo : draft.undo) : key === 'y' ? draft.redo : undefined;
    if (key === 'z' || key === 'y') {
      event.preventDefault();
      act?.();
    } else if (key === 'c' && selected.length > 0 && !window.getSelection()?.toString()) {
      event.preventDefault();
      copy();
    } else if (key === 'v') {
      event.preventDefault();
      void paste();
    } else if (key === 'a') {
      event.preventDefault();
      select(definition.nodes.map((it) => it.id));
    }
  };
  useKeysWithoutFocus(onKeyDown);
  return { onKeyDown, copy, paste };
}

/**
 * Deleting the focused element moves the focus to the body, so the editor also handles the keys of the body.
 */
function useKeysWithoutFocus(onKeyDown: (event: KeyboardEvent) => void) {
  const latest = useRef(onKeyDown);
  latest.current = onKeyDown;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.target === document.body) latest.current(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
