import { useWhere } from '../app/here';
import { Code } from '../components/code';
import { Failure } from '../components/states';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { type Channel, useUnparsed } from './api';
import classes from './channels.module.css';

const t = texts('channels');

/** The requests of the provider that the server did not understand, newest first. Without any, it shows nothing. */
export function Unparsed({ channel }: { channel: Channel }) {
  const { workspace } = useWhere();
  const asked = useUnparsed(workspace.id, channel.id);
  const rows = asked.data?.data ?? [];
  if (asked.error && !asked.data) return <Failure error={asked.error} retry={() => void asked.refetch()} />;
  if (rows.length === 0) return null;
  return (
    <div className={classes.section}>
      <h3>{t('unparsed')}</h3>
      <p className={classes.hint}>{t('unparsedHint')}</p>
      <ul className={classes.requests}>
        {rows.map(({ id, received_at, reason, excerpt }) => (
          <li key={id}>
            <div>
              <When at={received_at} /> · <span className={classes.fault}>{reason}</span>
            </div>
            <Code text={excerpt} what={t('theBody')} />
          </li>
        ))}
      </ul>
    </div>
  );
}
