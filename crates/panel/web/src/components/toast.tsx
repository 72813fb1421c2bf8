import { Button, CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { texts } from '../i18n/texts';
import classes from './toast.module.css';
import { toasts, useToast } from './toasts';

const common = texts('common');

/** The time until a toast is hidden, in milliseconds. */
const VISIBLE = 8_000;

/**
 * A toast for the last action, with an undo button. It stays visible while the pointer or the focus is on it.
 */
export function ToastPlace() {
  const toast = useToast();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!toast || isHeld) return;
    const timer = setTimeout(() => toasts.hide(), VISIBLE);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  useEffect(() => {
    if (!toast) setHeld(false);
  }, [toast]);
  return (
    <div className={classes.place}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only pauses the timer */}
      <div
        className={toast && classes.toast}
        onMouseEnter={() => setHeld(true)}
        onMouseLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        <span role="status" className={classes.text}>
          {toast?.text}
        </span>
        {toast?.undo && (
          <Button size="compact-sm" variant="subtle" onClick={() => toasts.undo()}>
            {common('undo')}
          </Button>
        )}
        {toast && <CloseButton aria-label={common('close')} onClick={() => toasts.hide()} />}
      </div>
    </div>
  );
}
