import { Children } from 'react';
import classes from './facts.module.css';
import { gridOf } from './facts-grid';

export function Facts({ children }: { children: React.ReactNode }) {
  const facts = Children.toArray(children);
  const { columns, last } = gridOf(facts.length);
  return (
    <div className={classes.box} style={{ '--columns': columns, '--last': last } as React.CSSProperties}>
      <dl className={classes.facts}>{facts}</dl>
    </div>
  );
}

interface Props {
  name: string;
  /** Set if the figure needs attention. */
  tone?: 'wait' | 'bad';
  children: React.ReactNode;
}

export function Fact({ name, tone, children }: Props) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd data-tone={tone}>{children}</dd>
    </div>
  );
}
