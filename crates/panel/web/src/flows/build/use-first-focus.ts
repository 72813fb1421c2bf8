import { useEffect, useRef } from 'react';

const TYPED = [
  'textarea:not(:disabled, [readonly], [aria-hidden])',
  'input:not(:disabled, [readonly], [type="radio"], [type="checkbox"], [type="hidden"])',
].join();
const ANY = 'input:not(:disabled, [type="hidden"]), button:not(:disabled)';

/** Gives the focus to the first field in `[data-form]` of a panel when its node is a new one. */
export function useFirstFocus(fresh: string | undefined) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const area = panel.current;
    if (!area || fresh === undefined) return;
    const focus = () => {
      const form = area.querySelector('[data-form]');
      // What is loading gets its fields later; a node without a form has none.
      const field = form?.querySelector<HTMLElement>(TYPED) ?? form?.querySelector<HTMLElement>(ANY);
      if (!field && form?.childElementCount) return false;
      (field ?? area).focus();
      return true;
    };
    if (focus()) return;
    const watch = new MutationObserver(() => focus() && watch.disconnect());
    watch.observe(area, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [fresh]);
  return panel;
}
