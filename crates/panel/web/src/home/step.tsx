import { IconCheck, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { texts } from '../i18n/texts';
import classes from './first-steps.module.css';

const t = texts('home');

interface Props {
  at: number;
  title: string;
  done: boolean | undefined;
  /** Whether this is the first open step. It is expanded. */
  current: boolean;
  children: React.ReactNode;
}

/** A step with its number or tick, and instructions. */
export function Step({ at, title, done, current, children }: Props) {
  const [chosen, choose] = useState<boolean>();
  const open = chosen ?? current;
  return (
    <li className={classes.step} data-done={done || undefined}>
      <button type="button" className={classes.title} aria-expanded={open} onClick={() => choose(!open)}>
        <span className={classes.mark} aria-hidden>
          {done ? <IconCheck size={14} /> : at}
        </span>
        {title}
        <span className={classes.said}>{t(done ? 'isDone' : 'isOpen')}</span>
        <IconChevronRight size={16} className={classes.arrow} aria-hidden />
      </button>
      {open && <div className={classes.body}>{children}</div>}
    </li>
  );
}
