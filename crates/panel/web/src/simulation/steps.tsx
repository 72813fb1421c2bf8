import { Title } from '@mantine/core';
import type { NodeType } from '../flows/definition';
import { exitInWords } from '../flows/graph/exits';
import type { Names } from '../flows/graph/summary';
import { NodeName } from '../flows/node-name';
import type { SimulatedLabels } from '../flows/use-labels';
import { nodeTypeName } from '../i18n/node-types';
import { outcomeCodes } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { clockIn, decisionInWords, outcomeInWords } from './phrases';
import classes from './steps.module.css';
import type { Simulated } from './story';

const t = texts('simulation');

interface Props {
  played: Simulated | undefined;
  zone: string | undefined;
  /** The ID of the simulated flow. Steps of other flows are marked. */
  flow?: string;
  /** The labels of the nodes, by the ID of their flow. */
  labels: SimulatedLabels;
  /** The names of flows. */
  names: Names;
  /** The name of a step. Only a sequence has steps. */
  stepName?: (id: string) => React.ReactNode;
  moment: number | undefined;
  onMoment: (moment: number) => void;
}

/** The nodes or steps that the simulation reached, with their outcomes. */
export function Steps({ played, zone, flow, labels, names, stepName, moment, onMoment }: Props) {
  const trace = played?.trace ?? [];
  const steps = trace.flatMap((it, at) => (it.type === 'node' || it.type === 'step' ? [{ it, at }] : []));
  return (
    <section aria-labelledby="steps">
      <Title order={2} id="steps" mb="xs">
        {t('stepByStep')}
      </Title>
      {steps.length === 0 && <p className="dimmed">{t('stepsEmpty')}</p>}
      <ol className={classes.steps}>
        {steps.map(({ it, at }) => (
          <li key={at}>
            <button
              type="button"
              className={classes.step}
              aria-pressed={at === moment}
              onClick={() => onMoment(at)}
            >
              <span className={classes.head}>
                {it.type === 'node' ? (
                  <NodeName id={it.node_id} type={it.node_type} labels={labels(it.flow_id)} short />
                ) : (
                  <>
                    {it.action && <b>{nodeTypeName(it.action)}</b>} {it.step_id && stepName?.(it.step_id)}
                  </>
                )}
                {it.type === 'node' && it.flow_id !== flow && (
                  <span className="dimmed">{names.get(it.flow_id) ?? t('elsewhere')}</span>
                )}
                <time className={classes.time} dateTime={it.at}>
                  {clockIn(zone, it.at)}
                </time>
              </span>
              <span className={classes.outcome}>
                {outcomeInWords(it, zone)}
                {it.type === 'node' && it.exit && (
                  <span className="dimmed"> → {exitInWords(it.exit, it.node_type as NodeType)}</span>
                )}
                {it.type === 'node' && it.wait && !outcomeCodes(it).includes('waits_until') && (
                  <span className="dimmed">
                    {' · '}
                    {it.wait.until
                      ? t(`waitsUntil.${it.wait.kind}`, { time: clockIn(zone, it.wait.until) })
                      : t(`waits.${it.wait.kind}`)}
                  </span>
                )}
              </span>
              {it.type === 'node' &&
                it.decision &&
                decisionInWords(it.decision).map((line) => (
                  <span key={line} className={classes.decided}>
                    {line}
                  </span>
                ))}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
