import classes from './status.module.css';

/** The meaning of a status, which selects its colour. */
export type Tone = 'ok' | 'wait' | 'bad' | 'off';

/** A status as a word. The colour only repeats it. */
export function Status({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <span className={classes.status} data-tone={tone}>
      <span className={classes.dot} aria-hidden />
      {children}
    </span>
  );
}
