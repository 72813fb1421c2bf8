import { memo } from 'react';
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { number } from '../i18n/format';
import classes from './analytics.module.css';
import { BAD, nameOfLine, type Point } from './series';

const COLOURS = ['--chart-0', '--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5'];
/** Dashes distinguish lines without colours. */
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '4 2', '1 3'];

interface Props {
  points: Point[];
  lines: string[];
  labelOf: (at: string) => string;
}

/**
 * A line chart. It is hidden from screen readers: the totals and the table contain its values. Drawing it takes long, so
 * it is drawn again only for other values.
 */
export default memo(function Chart({ points, lines, labelOf }: Props) {
  return (
    <div className={classes.chart} aria-hidden>
      <ResponsiveContainer width="100%" height={180}>
        <LineChart
          data={points}
          margin={{ top: 8, right: 8, bottom: 0, left: -16 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="at"
            tickFormatter={labelOf}
            minTickGap={40}
            tickLine={false}
            axisLine={{ stroke: 'var(--line-strong)' }}
            tick={{ fontSize: 12, fill: 'var(--mantine-color-dimmed)' }}
          />
          <YAxis
            allowDecimals={false}
            tickFormatter={(it) => number(Number(it))}
            tickLine={false}
            axisLine={false}
            tick={{ fontSize: 12, fill: 'var(--mantine-color-dimmed)' }}
          />
          <Tooltip
            formatter={(it) => number(Number(it))}
            labelFormatter={(at) => labelOf(String(at))}
            contentStyle={{
              background: 'var(--surface-raised)',
              border: '1px solid var(--line-strong)',
              borderRadius: 8,
              fontSize: 13,
            }}
            labelStyle={{ color: 'var(--mantine-color-text)', fontWeight: 500 }}
            itemStyle={{ color: 'var(--mantine-color-text)', padding: 0 }}
          />
          {lines.map((line, at) => (
            <Line
              key={line}
              dataKey={line}
              name={nameOfLine(line)}
              type="linear"
              dot={false}
              activeDot={{ r: 3 }}
              strokeWidth={2}
              stroke={`var(${BAD.includes(line) ? '--bar-bad' : COLOURS[at % COLOURS.length]})`}
              strokeDasharray={DASHES[at % DASHES.length]}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
});
