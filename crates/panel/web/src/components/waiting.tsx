import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { texts } from '../i18n/texts';
import classes from './states.module.css';

const common = texts('common');

/** Lines in place of what is on its way; nothing at all where it is there within 200 ms. */
export function Waiting({ lines = 6 }: { lines?: number }) {
  const [shown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={common('loading')} className={classes.waiting}>
      {shown &&
        Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
          <Skeleton key={line} height={16} width={`${90 - ((line * 17) % 40)}%`} />
        ))}
    </div>
  );
}
