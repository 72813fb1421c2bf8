import classes from './facts.module.css';

export function Facts({ children }: { children: React.ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
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
