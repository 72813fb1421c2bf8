import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import { compact } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Histogram as Counts } from './api';
import { barsOf, ticksOf, topOf } from './bars';
import { type Bucket, busiest, filled, type Sums, sumsOf } from './buckets';
import { minuteOf, spanText } from './clock';
import classes from './histogram.module.css';
import { ends, type Selection } from './selection';
import { useChoosing } from './use-choosing';

const t = texts('usage');
const HEIGHT = 72;
const AXIS = 20;

interface Props {
  counts: Counts;
  /** Limits the log to a time range. */
  onChoose: (span: { from: string; to: string }) => void;
}

/** A histogram of the requests. The user selects a time range by dragging or by keyboard. */
export function Histogram({ counts, onChoose }: Props) {
  const buckets = useMemo(() => filled(counts), [counts]);
  const { ref, width } = useElementSize<HTMLDivElement>();
  const { selection, hovered, handlers } = useChoosing(buckets, onChoose);
  const sums = sumsOf(buckets);
  const shown = hovered ?? selection?.head;
  const told = selection ? sliceOf(buckets, selection) : shown === undefined ? undefined : buckets[shown];
  return (
    <section className={classes.card} aria-label={t('histogram')}>
      <div className={classes.head}>
        <Legend sums={sums} />
        <span className={classes.hint}>{t('dragHint')}</span>
      </div>
      <div className={classes.plot}>
        <span className={classes.scale} style={{ top: -6 }} aria-hidden>
          {sums.requests > 0 && compact(topOf(buckets))}
        </span>
        <span className={classes.scale} style={{ top: HEIGHT - 6 }} aria-hidden>
          0
        </span>
        <div
          ref={ref}
          className={classes.field}
          role="slider"
          tabIndex={0}
          aria-label={t('choose')}
          aria-description={t('chooseHint')}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, buckets.length - 1)}
          aria-valuenow={selection?.head ?? Math.max(0, buckets.length - 1)}
          aria-valuetext={told ? `${spanText(told.begin, told.end)}: ${listed(told)}` : listed(sums)}
          {...handlers}
        >
          <Drawing buckets={buckets} width={width} selection={selection} hovered={hovered} />
          {told && shown !== undefined && <Tip told={told} at={(shown + 0.5) / buckets.length} />}
        </div>
      </div>
      {/* Screen readers read this image, because they do not read the content of the slider. */}
      <span role="img" aria-label={sentence(counts, buckets, sums)} />
    </section>
  );
}

function Legend({ sums }: { sums: Sums }) {
  const parts = [
    ['done', t('requests', { count: sums.requests })],
    ['client', t('clientErrors', { count: sums.client })],
    ['server', t('serverErrors', { count: sums.server })],
  ] as const;
  return (
    <div className={classes.sums}>
      {parts.map(([kind, text]) => (
        <span key={kind} className={classes.sum}>
          <span className={`${classes.swatch} ${classes[kind]}`} aria-hidden />
          {text}
        </span>
      ))}
    </div>
  );
}

interface DrawingProps {
  buckets: Bucket[];
  width: number;
  selection: Selection | undefined;
  hovered: number | undefined;
}

function Drawing({ buckets, width, selection, hovered }: DrawingProps) {
  const bars = useMemo(() => barsOf(buckets, { width, height: HEIGHT }), [buckets, width]);
  const ticks = useMemo(() => ticksOf(buckets, width), [buckets, width]);
  const slot = width / Math.max(1, buckets.length);
  const [first, last] = selection ? ends(selection) : [0, -1];
  return (
    <svg height={HEIGHT + AXIS} aria-hidden="true">
      <line className={classes.line} x1={0} x2={width} y1={0.5} y2={0.5} />
      {hovered !== undefined && !selection && (
        <rect className={classes.hovered} x={hovered * slot} width={slot} height={HEIGHT} />
      )}
      {selection && (
        <rect className={classes.chosen} x={first * slot} width={(last - first + 1) * slot} height={HEIGHT} />
      )}
      {bars.map((bar) =>
        bar.parts.map((part) => (
          <rect
            key={`${bar.x} ${part.kind}`}
            className={classes[part.kind]}
            x={bar.x}
            width={bar.width}
            y={part.y}
            height={part.height}
          />
        )),
      )}
      <line className={classes.line} x1={0} x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
      {ticks.map((tick) => (
        <g key={tick.x}>
          <line className={classes.line} x1={tick.x} x2={tick.x} y1={HEIGHT} y2={HEIGHT + 4} />
          <text
            className={classes.tick}
            x={tick.x}
            y={HEIGHT + 16}
            textAnchor={tick.x < 16 ? 'start' : 'middle'}
          >
            {tick.label}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The counts of a bar or of the selected range. */
function Tip({ told, at }: { told: Bucket; at: number }) {
  return (
    <div className={classes.tip} style={{ left: `clamp(110px, ${at * 100}%, 100% - 110px)` }}>
      <b>{spanText(told.begin, told.end)}</b>
      <div>{listed(told)}</div>
    </div>
  );
}

function sliceOf(buckets: Bucket[], selection: Selection): Bucket | undefined {
  const [first, last] = ends(selection);
  const [begin, end] = [buckets[first], buckets[last]];
  if (!begin || !end) return undefined;
  return { begin: begin.begin, end: end.end, ...sumsOf(buckets.slice(first, last + 1)) };
}

/** The counts in words: "42 requests, 3 client errors". Errors are omitted if there are none. */
function listed({ requests, client, server }: Sums): string {
  return [
    t('requests', { count: requests }),
    ...(client > 0 ? [t('clientErrors', { count: client })] : []),
    ...(server > 0 ? [t('serverErrors', { count: server })] : []),
  ].join(', ');
}

function sentence(counts: Counts, buckets: Bucket[], sums: Sums): string {
  const most = busiest(buckets);
  const all = t(`summaries.${counts.interval}`, {
    span: spanText(counts.from, counts.to),
    sums: listed(sums),
  });
  return most ? `${all} ${t('most', { count: most.requests, time: minuteOf(most.begin) })}` : all;
}
