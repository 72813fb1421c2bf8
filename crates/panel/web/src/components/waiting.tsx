import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { texts } from '../i18n/texts';
import classes from './states.module.css';

const common = texts('common');

/** A skeleton for content that is loading. It appears after 200 ms. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: all lines are equal
          <Skeleton key={line} height={16} width={`${90 - ((line * 17) % 40)}%`} />
        ))}
    </div>
  );
}
