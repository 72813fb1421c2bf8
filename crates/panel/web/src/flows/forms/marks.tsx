import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './forms.module.css';

/** The input properties that show findings. */
export interface Marks {
  error: string | undefined;
  inputContainer: (input: React.ReactNode) => React.ReactNode;
}

/** The findings at a field. An error makes it invalid, a warning is an amber note below it. */
export function marksOf(error: string | undefined, warning: string | undefined): Marks {
  return {
    error,
    // The elements are the same with and without a warning, so the input keeps its focus.
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
