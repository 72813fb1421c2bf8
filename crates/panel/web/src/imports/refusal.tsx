import { Problem } from '../api/problem';
import { Failure } from '../components/states';
import classes from './imports.module.css';
import { tableMessage } from './messages';

/** A failed request with the faults of the table. */
export function Refusal({ error, retry }: { error: unknown; retry?: () => void }) {
  const faults = error instanceof Problem ? error.faults : [];
  return (
    <div className={classes.gap}>
      <Failure error={error} retry={retry} />
      {faults.length > 0 && (
        <ul className={classes.list}>
          {faults.map((it) => (
            <li key={`${it.code} ${it.message}`}>{tableMessage(it)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
