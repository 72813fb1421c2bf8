import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { Facts } from '../components/facts';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { useMe } from '../keys/api';
import { type Histogram, useRequests } from './api';
import { Figure } from './figure';
import { busiest, columns, sums } from './figures';
import { Gauge } from './gauge';
import classes from './traffic.module.css';

const t = texts('home');

/** The requests with API keys in the last day, compared with the plan's limit. */
export function Traffic() {
  const { workspace } = useWhere();
  const day = useRequests(workspace.id, 24);
  const hour = useRequests(workspace.id, 1);
  const me = useMe(workspace.id);
  if (day.error) return <Failure error={day.error} retry={() => void day.refetch()} />;
  const total = day.data && sums(day.data.data);
  return (
    <>
      <Facts>
        <Figure name={t('requests')} value={total?.requests} />
        <Figure name={t('clientErrors')} value={total?.clientErrors} tone="wait" />
        <Figure name={t('serverErrors')} value={total?.serverErrors} tone="bad" />
      </Facts>
      <div className={classes.row}>
        <section className={classes.card}>
          <div className={classes.head}>
            <h2>{t('requests')}</h2>
            <Link to="/developers/log" search={{ last: 'P1D' }}>
              {t('openLog')}
            </Link>
          </div>
          {day.data &&
            (total?.requests ? <Bars histogram={day.data} /> : <Text c="dimmed">{t('noRequests')}</Text>)}
        </section>
        <Gauge
          used={hour.data && busiest(hour.data.data)}
          limit={me.data?.requests_per_minute}
          plan={workspace.plan}
        />
      </div>
    </>
  );
}

/** The requests of a day as bars, with errors at the top. */
function Bars({ histogram }: { histogram: Histogram }) {
  const total = sums(histogram.data);
  const label = t('chart', { requests: total.requests, errors: total.clientErrors + total.serverErrors });
  return (
    <svg
      className={classes.chart}
      viewBox="0 0 960 80"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {columns(histogram, 960, 80).map(({ x, width, parts }) =>
        parts.map((part) => (
          <rect
            key={`${x}-${part.kind}`}
            data-kind={part.kind}
            x={x}
            y={part.y}
            width={width}
            height={part.height}
          />
        )),
      )}
    </svg>
  );
}
