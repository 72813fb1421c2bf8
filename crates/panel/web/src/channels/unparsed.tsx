import { Button } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Code } from '../components/code';
import { Failure } from '../components/states';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { inBytes } from '../storage/bytes';
import { type Channel, useUnparsed } from './api';
import classes from './channels.module.css';

const t = texts('channels');

/** The number of requests that are shown at first. */
const FEW = 3;

/** The requests of the provider that the server did not understand, newest first. Without any, it shows nothing. */
export function Unparsed({ channel }: { channel: Channel }) {
  const { workspace } = useWhere();
  const asked = useUnparsed(workspace.id, channel.id);
  const [isWhole, setWhole] = useState(false);
  const rows = asked.data?.data ?? [];
  const failure = asked.data ? undefined : asked.error;
  if (rows.length === 0 && !failure) return null;
  return (
    <div className={classes.section}>
      <h3>{t('unparsed')}</h3>
      <p className={classes.hint}>{t('unparsedHint')}</p>
      {failure && <Failure error={failure} retry={() => void asked.refetch()} />}
      <ul className={classes.requests}>
        {(isWhole ? rows : rows.slice(0, FEW)).map(({ id, received_at, reason, size, excerpt }) => (
          <li key={id}>
            <div>
              <When at={received_at} /> · <span className="figures">{inBytes(size)}</span> ·{' '}
              <span className={classes.fault}>{reason}</span>
            </div>
            <Code text={excerpt} what={t('theBody')} />
          </li>
        ))}
      </ul>
      {!isWhole && rows.length > FEW && (
        <Button variant="subtle" mt="xs" onClick={() => setWhole(true)}>
          {t('allRequests', { count: rows.length })}
        </Button>
      )}
    </div>
  );
}
