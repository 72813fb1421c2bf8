import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { useMe } from '../keys/api';
import { type Histogram, useRequests } from './api';
import { Figure, Figures } from './figure';
import { busiest, columns, sums } from './figures';
import { Gauge } from './gauge';
import classes from './traffic.module.css';

const words = en.home;

/** What keys asked in the last day, and how near that comes to what the plan allows. */
export function Traffic() {
  const { workspace } = useWhere();
  const day = useRequests(workspace.id, 24);
  const hour = useRequests(workspace.id, 1);
  const me = useMe(workspace.id);
  if (day.error) return <Failure error={day.error} retry={() => void day.refetch()} />;
  const total = day.data && sums(day.data.data);
  return (
    <>
      <Figures>
        <Figure name={words.requests} value={total?.requests} />
        <Figure name={words.clientErrors} value={total?.clientErrors} tone="wait" />
        <Figure name={words.serverErrors} value={total?.serverErrors} tone="bad" />
      </Figures>
      <div className={classes.row}>
        <section className={classes.card}>
          <div className={classes.head}>
            <h2>{words.requests}</h2>
            <Link to="/developers/log" search={{ last: 'P1D' }}>
              {words.openLog}
            </Link>
          </div>
          {day.data &&
            (total?.requests ? <Bars histogram={day.data} /> : <Text c="dimmed">{words.noRequests}</Text>)}
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

/** A day in bars: errors stand on top. */
function Bars({ histogram }: { histogram: Histogram }) {
  const total = sums(histogram.data);
  const label = words.chart(total.requests, total.clientErrors + total.serverErrors);
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
