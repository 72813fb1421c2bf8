import { number } from '../i18n/format';
import classes from './figure.module.css';

export function Figures({ children }: { children: React.ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>;
}

interface Props {
  name: string;
  /** `undefined` while it is loading. */
  value: number | undefined;
  /** Set if a value above zero needs attention. */
  tone?: 'wait' | 'bad';
}

export function Figure({ name, value, tone }: Props) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd data-tone={value ? tone : undefined}>{value === undefined ? '–' : number(value)}</dd>
    </div>
  );
}
