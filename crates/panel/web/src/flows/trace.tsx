import { absolute, day, timeOfDay } from '../components/time';
import { outcomeText } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import type { NodeType } from './definition';
import { exitInWords } from './graph/exits';
import type { NodeLabels } from './node-labels';
import { NodeName } from './node-name';
import classes from './runs.module.css';
import type { FlowRun } from './runs-api';

const t = texts('flow-runs');

interface Props {
  run: FlowRun;
  /** The labels of the nodes in the version of the run. */
  labels: NodeLabels;
  /** The index of the selected step. The default is the last step. */
  at: number | undefined;
  onStep: (at: number) => void;
}

/** The time of a step. It has the day if that is not the day of the step before. */
function timeAfter(before: string, at: string): string {
  return day(before) === day(at) ? timeOfDay(at) : `${day(at)}, ${timeOfDay(at)}`;
}

/** The nodes that a run visited, each with its result. */
export function Trace({ run, labels, at: chosen, onStep }: Props) {
  if (run.trace.length === 0) return <p className="dimmed">{t('runs.noTrace')}</p>;
  return (
    <ol className={classes.trace}>
      {run.trace.map((it, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a node may be visited again at the same instant
        <li key={at} data-bad={it.node_id === run.error?.node_id || undefined}>
          <button
            type="button"
            className={classes.step}
            aria-pressed={at === (chosen ?? run.trace.length - 1)}
            onClick={() => onStep(at)}
          >
            <span className={classes.of}>
              <NodeName id={it.node_id} type={it.type} labels={labels} short />
              <time className={classes.time} dateTime={it.at} title={absolute(it.at)}>
                {timeAfter(run.trace[at - 1]?.at ?? run.started_at, it.at)}
              </time>
            </span>
            <span className={classes.outcome}>
              {outcomeText(it, absolute)}
              {it.exit && <span className="dimmed"> → {exitInWords(it.exit, it.type as NodeType)}</span>}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
