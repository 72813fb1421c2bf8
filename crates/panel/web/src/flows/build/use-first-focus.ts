import { useEffect, useRef } from 'react';

const FIELDS =
  'textarea:not(:disabled, [aria-hidden]), input:not(:disabled, [type="radio"], [type="checkbox"], [type="hidden"])';

/** The first field to fill in: an empty one, otherwise one that takes text. */
function firstField(form: Element): HTMLElement | undefined {
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)];
  const isEmpty = ({ value }: { value: string }) => value === '' || value === 'https://';
  return fields.find(isEmpty) ?? fields.find((it) => !it.readOnly) ?? fields[0];
}

/** Gives the focus to the first field in `[data-form]` of a panel when its node is a new one. */
export function useFirstFocus(fresh: string | undefined) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const area = panel.current;
    if (!area || fresh === undefined) return;
    const focus = () => {
      const form = area.querySelector('[data-form]');
      // A form can still be loading; a node without a form has no fields.
      const field = form ? firstField(form) : undefined;
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
