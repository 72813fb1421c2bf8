import { absolute, timeOfDay } from '../components/time';
import { en } from '../i18n/en';
import classes from './runs.module.css';
import type { FlowRun } from './runs-api';

const words = en.flowRuns;

/** The nodes that a run visited, each with what came of it. */
export function Trace({ run }: { run: FlowRun }) {
  if (run.trace.length === 0) return <p className="dimmed">{words.noTrace}</p>;
  return (
    <ol className={classes.trace}>
      {run.trace.map((it, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a node may be visited again at the same instant
        <li key={at} data-bad={it.node_id === run.error?.node_id || undefined}>
          <div className={classes.step}>
            <code>{it.node_id}</code>
            <span className="dimmed">{it.type}</span>
            <time className={classes.time} dateTime={it.at} title={absolute(it.at)}>
              {timeOfDay(it.at)}
            </time>
          </div>
          <div className={classes.outcome}>
            {it.outcome}
            {it.exit && <span className="dimmed"> → {it.exit}</span>}
          </div>
        </li>
      ))}
    </ol>
  );
}
