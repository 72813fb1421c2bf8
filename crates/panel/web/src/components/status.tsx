import classes from './status.module.css';

/** What a state means for who looks at it. */
export type Tone = 'ok' | 'wait' | 'bad' | 'off';

/** A state in a word, with a colour that only repeats it. */
export function Status({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <span className={classes.status} data-tone={tone}>
      <span className={classes.dot} aria-hidden />
      {children}
    </span>
  );
}
