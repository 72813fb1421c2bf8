import { Problem, sentence } from '../api/problem';
import { Failure } from '../components/states';
import { faultMessage } from '../i18n/problems';
import classes from './bulk.module.css';

/** The error that prevented the operation, with a message for each invalid member. */
export function Refused({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <div className={classes.refused}>
      <Failure error={error} />
      {error instanceof Problem &&
        error.faults.map((it) => <p key={it.message}>{sentence(faultMessage(it))}</p>)}
    </div>
  );
}
