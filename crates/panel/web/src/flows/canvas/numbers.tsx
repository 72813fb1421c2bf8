import { texts } from '../../i18n/texts';
import { compact, lasting, type Tally } from '../statistics';
import classes from './numbers.module.css';

const t = texts('flow-statistics');

/** What became of runs at a node, in one line of its card. */
export function Numbers({ tally }: { tally: Tally }) {
  const { entered, failed, median } = tally;
  if (entered === 0 && failed === 0) return <span>{t('card.never')}</span>;
  return (
    <span className={classes.numbers}>
      <b>{t('card.entered', { runs: compact(entered) })}</b>
      {failed > 0 && <b data-tone="bad">{t('card.failed', { runs: compact(failed) })}</b>}
      {median !== null && median >= 1 && <span>{t('card.median', { time: lasting(median) })}</span>}
    </span>
  );
}

interface Props {
  count: number;
  /** What the node is called. */
  title: string;
  onOpen: (() => void) | undefined;
}

/** How many runs are at a node now, at the corner of its card; it leads to those that wait. */
export function WaitingBadge({ count, title, onOpen }: Props) {
  const runs = compact(count);
  const shown = t('card.now', { runs });
  const told = t('card.showRuns', { runs, node: title });
  if (!onOpen) return <span className={classes.badge}>{shown}</span>;
  return (
    <button
      type="button"
      className={`${classes.badge} nodrag nopan`}
      aria-label={told}
      title={told}
      onClick={(event) => {
        event.stopPropagation();
        onOpen();
      }}
      // The canvas has keys of its own.
      onKeyDown={(event) => event.stopPropagation()}
    >
      {shown}
    </button>
  );
}
