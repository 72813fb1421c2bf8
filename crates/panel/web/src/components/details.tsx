import classes from './details.module.css';

/** Names and values in two columns. */
export function Details({ rows }: { rows: [string, React.ReactNode][] }) {
  return (
    <dl className={classes.details}>
      {rows.map(([name, value]) => (
        <div key={name} className={classes.row}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
