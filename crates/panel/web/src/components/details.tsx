import classes from './details.module.css';
import { WholeTimes } from './whole-times';

/** Names and values in two columns. Times in the values are whole. */
export function Details({ rows }: { rows: [string, React.ReactNode][] }) {
  return (
    <WholeTimes value={true}>
      <dl className={classes.details}>
        {rows.map(([name, value]) => (
          <div key={name} className={classes.row}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </WholeTimes>
  );
}
