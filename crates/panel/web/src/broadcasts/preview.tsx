import { Button, Text, Title } from '@mantine/core';
import { useWhere } from '../app/here';
import { Failure, Waiting } from '../components/states';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { nameOf, useContacts } from '../inbox/people';
import { reasonOf } from '../inbox/told';
import { type Preview, usePreview } from './api';
import classes from './broadcasts.module.css';
import { type Broadcast, reachOf, type Said } from './draft';
import { Words } from './words';

const t = texts('broadcasts');

/**
 * A preview: the number of recipients, the suppressed contacts by reason, and the message for the newest
 * contacts.
 */
export function PreviewCard({ broadcast }: { broadcast: Broadcast }) {
  const { workspace } = useWhere();
  const preview = usePreview(workspace.id, broadcast);
  return (
    <section className={classes.card} aria-labelledby="preview">
      <div className={classes.cardHead}>
        <Title order={2} id="preview">
          {t('preview')}
        </Title>
        <Button
          size="compact-sm"
          variant="default"
          loading={preview.isFetching}
          onClick={() => void preview.refetch()}
        >
          {t('refresh')}
        </Button>
      </div>
      <p className={classes.hint}>{t('previewHint')}</p>
      {preview.error ? (
        <Failure error={preview.error} retry={() => void preview.refetch()} />
      ) : preview.data ? (
        <Told preview={preview.data} />
      ) : (
        <Waiting lines={4} />
      )}
    </section>
  );
}

function Told({ preview }: { preview: Preview }) {
  const reasons = Object.entries(preview.suppressed).filter(([, count]) => count > 0);
  if (preview.contact_count === 0) return <Text>{t('nobody')}</Text>;
  return (
    <>
      <p className={classes.reach}>
        {t.rich('wouldReceive', {
          reached: <b className="figures">{number(reachOf(preview))}</b>,
          count: preview.contact_count,
        })}
      </p>
      {reasons.length > 0 && (
        <>
          <h3 className={classes.small}>{t('notReached')}</h3>
          <dl className={classes.reasons}>
            {reasons.map(([reason, count]) => (
              <div key={reason}>
                <dt>{reasonOf(reason)}</dt>
                <dd className="figures">{number(count)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <Sample rows={preview.sample} />
    </>
  );
}

function Sample({ rows }: { rows: Preview['sample'] }) {
  const { workspace } = useWhere();
  const contact = useContacts(
    workspace.id,
    rows.map((it) => it.contact_id),
  );
  if (rows.length === 0) return null;
  return (
    <>
      <h3 className={classes.small}>{t('sample')}</h3>
      <ul className={classes.sample}>
        {rows.map((it) => (
          <li key={it.contact_id}>
            <span className="named">{nameOf(contact(it.contact_id), it.contact_id)}</span>
            {it.error ? (
              <span className={classes.bad}>{t('cannotRender', { error: it.error })}</span>
            ) : it.message ? (
              <Words message={it.message as unknown as Said} />
            ) : (
              <span className="dimmed">{t('noMessage', { reason: reasonOf(it.suppressed) })}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
