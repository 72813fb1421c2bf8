import { useEffect } from 'react';

/** `l` switches the live tail if the focus is on the page itself or in the table, outside of fields. */
export function useLiveKey(table: React.RefObject<HTMLElement | null>, onSwitch: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'l' || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const at = event.target as Element;
      const onPage = at === document.body || at.id === 'content';
      const inTable = table.current?.contains(at) && !at.closest('input, textarea, [contenteditable]');
      if (onPage || inTable) onSwitch();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [table, onSwitch]);
}
