import { dayAndTime } from '../components/time';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import classes from './deletion.module.css';
import type { Counted, Deletion, DeletionCount } from './views';

const t = texts('workspace-deletion');

const COUNTED: Counted[] = [
  'contacts',
  'conversations',
  'messages',
  'flows',
  'sequences',
  'broadcasts',
  'webhooks',
  'api_keys',
  'members',
];

/** The objects that a deletion deletes, and until when they can be restored. */
export function Consequences({ of }: { of: Deletion }) {
  return (
    <>
      <dl className={classes.counts}>
        {COUNTED.map((it) => (
          <div key={it} className={classes.count}>
            <dt>{t(`objects.${it}`)}</dt>
            <dd>{countText(of.counts[it])}</dd>
          </div>
        ))}
      </dl>
      <p>{of.has_sandbox ? t('effectWithSandbox') : t('effect')}</p>
      <p className={classes.until}>{t('restoreUntil', { until: dayAndTime(of.restore_until) })}</p>
    </>
  );
}

/** "12", or "10,000+" if there are more. */
export function countText({ count, is_capped }: DeletionCount): string {
  return is_capped ? t('capped', { count }) : number(count);
}
