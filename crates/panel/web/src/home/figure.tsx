import { number } from '../i18n/format';
import classes from './figure.module.css';

/** Figures beside each other. */
export function Figures({ children }: { children: React.ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>;
}

interface Props {
  name: string;
  /** `undefined` while it is on its way. */
  value: number | undefined;
  /** Whether it tells of something that somebody should look at. */
  tone?: 'wait' | 'bad';
}

/** One number with its name. */
export function Figure({ name, value, tone }: Props) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd data-tone={value ? tone : undefined}>{value === undefined ? '–' : number(value)}</dd>
    </div>
  );
}
