import classes from './facts.module.css';

/** Figures beside each other, each with its name. */
export function Facts({ children }: { children: React.ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

interface Props {
  name: string;
  /** Whether it tells of something that somebody should look at. */
  tone?: 'wait' | 'bad';
  children: React.ReactNode;
}

/** One figure. */
export function Fact({ name, tone, children }: Props) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd data-tone={tone}>{children}</dd>
    </div>
  );
}
