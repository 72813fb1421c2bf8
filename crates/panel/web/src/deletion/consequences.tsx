import { dayAndTime } from '../components/time';
import { workspaceDeletion as words } from '../i18n/en/workspace-deletion';
import classes from './deletion.module.css';
import type { Counted, Deletion, DeletionCount } from './views';

/** The objects that a deletion deletes, and until when they can be restored. */
export function Consequences({ of }: { of: Deletion }) {
  const all = Object.keys(words.counted) as Counted[];
  return (
    <>
      <dl className={classes.counts}>
        {all.map((it) => (
          <div key={it} className={classes.count}>
            <dt>{words.counted[it]}</dt>
            <dd>{countText(of.counts[it])}</dd>
          </div>
        ))}
      </dl>
      <p>
        {words.deleteEffect} {of.has_sandbox && words.withSandbox}
      </p>
      <p className={classes.until}>{words.restoreUntil(dayAndTime(of.restore_until))}</p>
    </>
  );
}

/** "12", or "10,000+" if there are more. */
export function countText({ count, is_capped }: DeletionCount): string {
  return `${count.toLocaleString('en')}${is_capped ? '+' : ''}`;
}
