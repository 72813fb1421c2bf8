import { texts } from '../../i18n/texts';
import { compact, lasting, type Tally } from '../statistics';
import classes from './numbers.module.css';

const t = texts('flow-statistics');

/** The results of runs at a node, in one line of its card. */
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
  title: string;
  onOpen: (() => void) | undefined;
}

/** A badge with the number of runs that wait at a node. It opens the list of these runs. */
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
      // The canvas handles the same keys.
      onKeyDown={(event) => event.stopPropagation()}
    >
      {shown}
    </button>
  );
}
