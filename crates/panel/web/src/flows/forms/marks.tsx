import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './forms.module.css';

/** The properties that show findings at a field. */
export interface Marks {
  error: string | undefined;
  inputContainer: (input: React.ReactNode) => React.ReactNode;
}

/** The marks of a field: an error makes it invalid, a warning is a note in amber below it. */
export function marksOf(error: string | undefined, warning: string | undefined): Marks {
  return {
    error,
    // The same elements with and without a warning: the input keeps its focus.
    inputContainer: (input) => (
      <>
        {input}
        {warning && <Warning>{warning}</Warning>}
      </>
    ),
  };
}

function Warning({ children }: { children: string }) {
  return (
    <div className={classes.warning} role="note">
      <IconAlertTriangle size={14} aria-hidden />
      {children}
    </div>
  );
}
