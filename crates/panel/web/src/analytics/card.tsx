import { Button, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../api/connection';
import { type Column, DataTable } from '../components/table';
import { en } from '../i18n/en';
import classes from './analytics.module.css';
import {
  hasAny,
  labelOf,
  linesOf,
  type Overview,
  type Point,
  pointsOf,
  type Subject,
  totalsOf,
} from './series';

const words = en.analytics;
// The library of charts is large: it comes with the first of them.
const Chart = lazy(() => loadPart(() => import('./chart')));

/** One subject: its totals, a chart, and the same as a table. */
export function ChartCard({ overview, subject }: { overview: Overview; subject: Subject }) {
  const [open, setOpen] = useState(false);
  const totals = totalsOf(overview, subject);
  const lines = linesOf(overview, subject);
  const points = pointsOf(overview, subject);
  const name = words.groups[subject];
  const labels = (at: string) => labelOf(at, overview.interval, overview.time_zone);
  return (
    <section className={classes.card} aria-labelledby={`chart-${subject}`}>
      <div className={classes.head}>
        <h2 id={`chart-${subject}`}>{name}</h2>
        <Button
          variant="default"
          size="compact-sm"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          aria-label={`${open ? words.hideTable : words.showTable}: ${name}`}
        >
          {open ? words.hideTable : words.showTable}
        </Button>
      </div>
      <ul className={classes.totals}>
        {lines.map((line, at) => (
          <li key={line}>
            <span className={classes.swatch} data-line={line === 'failed' ? 'bad' : at} aria-hidden />
            {words.counts[line]} <b>{(totals[line] ?? 0).toLocaleString('en')}</b>
          </li>
        ))}
      </ul>
      {hasAny(overview, subject) ? (
        <Suspense fallback={<Skeleton height={180} />}>
          <Chart points={points} lines={lines} labelOf={labels} />
        </Suspense>
      ) : (
        <p className={classes.nothing}>{words.nothing}</p>
      )}
      {open && (
        <div className={classes.table}>
          <DataTable
            label={`${name}: ${words.table}`}
            rows={points.toReversed()}
            rowKey={(it) => it.at}
            columns={[
              { key: 'at', header: words.at, render: (it) => labels(it.at) },
              ...lines.map(
                (line): Column<Point> => ({
                  key: line,
                  header: words.counts[line],
                  align: 'end',
                  render: (it) => Number(it[line] ?? 0).toLocaleString('en'),
                }),
              ),
            ]}
          />
        </div>
      )}
    </section>
  );
}
