import classes from './files-field.module.css';
import type { Files } from './use-files';

/** The fields of a message. Files that are dropped on them or pasted into them are added to it. */
export function FileZone({ files, children }: { files: Files; children: React.ReactNode }) {
  return (
    <div {...files.zone} className={classes.zone}>
      {children}
    </div>
  );
}
