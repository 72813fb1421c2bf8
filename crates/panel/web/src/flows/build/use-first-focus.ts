import { useEffect, useRef } from 'react';

const FIELDS =
  'textarea:not(:disabled, [aria-hidden]), input:not(:disabled, [type="radio"], [type="checkbox"], [type="hidden"])';

/** The first empty field, otherwise the first editable one. */
function firstField(form: Element): HTMLElement | undefined {
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)];
  const isEmpty = ({ value }: { value: string }) => value === '' || value === 'https://';
  return fields.find(isEmpty) ?? fields.find((it) => !it.readOnly) ?? fields[0];
}

/** Focuses the first field in `[data-form]` of a panel when its node was just added. */
export function useFirstFocus(fresh: string | undefined) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const area = panel.current;
    if (!area || fresh === undefined) return;
    const focus = () => {
      const form = area.querySelector('[data-form]');
      // The form may still be loading. A node without a form has no fields.
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
