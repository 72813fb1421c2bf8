import { Button, Skeleton } from '@mantine/core';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { loadPart } from '../api/connection';
import { type Column, DataTable } from '../components/table';
import { WhenSeen } from '../components/when-seen';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import classes from './analytics.module.css';
import {
  hasAny,
  labelOf,
  linesOf,
  nameOfLine,
  type Overview,
  type Point,
  pointsOf,
  type Subject,
  totalsOf,
} from './series';

const t = texts('analytics');
/** The height of a chart, as in `analytics.module.css`. */
const HEIGHT = 180;
// The chart library is large, so it is loaded with the first chart.
const Chart = lazy(() => loadPart(() => import('./chart')));

/** A subject with its totals and a chart. The same values are available as a table. */
export function ChartCard({ overview, subject }: { overview: Overview; subject: Subject }) {
  const [open, setOpen] = useState(false);
  const { series, totals: all, interval, time_zone: zone } = overview;
  const totals = totalsOf(overview, subject);
  // A refresh that changes no counts keeps these values, so the chart is not drawn again.
  const lines = useMemo(() => linesOf({ totals: all }, subject), [all, subject]);
  const points = useMemo(() => pointsOf({ series }, subject), [series, subject]);
  const labels = useCallback((at: string) => labelOf(at, interval, zone), [interval, zone]);
  const name = t(`objects.${subject}`);
  return (
    <section className={classes.card} aria-labelledby={`chart-${subject}`}>
      <div className={classes.head}>
        <h2 id={`chart-${subject}`}>{name}</h2>
        <Button
          variant="default"
          size="compact-sm"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          aria-label={open ? t('hideTableOf', { name }) : t('showTableOf', { name })}
        >
          {open ? t('hideTable') : t('showTable')}
        </Button>
      </div>
      <ul className={classes.totals}>
        {lines.map((line, at) => (
          <li key={line}>
            <span className={classes.swatch} data-line={line === 'failed' ? 'bad' : at} aria-hidden />
            {nameOfLine(line)} <b>{number(totals[line] ?? 0)}</b>
          </li>
        ))}
      </ul>
      {hasAny(overview, subject) ? (
        <WhenSeen height={HEIGHT}>
          <Suspense fallback={<Skeleton height={HEIGHT} />}>
            <Chart points={points} lines={lines} labelOf={labels} />
          </Suspense>
        </WhenSeen>
      ) : (
        <p className={classes.nothing}>{t('nothing')}</p>
      )}
      {open && (
        <div className={classes.table}>
          <DataTable
            label={t('tableOf', { name })}
            rows={points.toReversed()}
            rowKey={(it) => it.at}
            columns={[
              { key: 'at', header: t('at'), render: (it) => labels(it.at) },
              ...lines.map(
                (line): Column<Point> => ({
                  key: line,
                  header: nameOfLine(line),
                  align: 'end',
                  render: (it) => number(Number(it[line] ?? 0)),
                }),
              ),
            ]}
          />
        </div>
      )}
    </section>
  );
}
