import { Text } from '@mantine/core';
import { en } from '../i18n/en';
import classes from './traffic.module.css';

const words = en.home;

interface Props {
  used: number | undefined;
  limit: number | undefined;
  plan: string;
}

/** How near the busiest minute comes to what the plan allows. */
export function Gauge({ used, limit, plan }: Props) {
  if (used === undefined || limit === undefined) return <section className={classes.card} />;
  const share = Math.min(1, used / limit);
  const close = share >= 0.8;
  return (
    <section className={classes.card}>
      <div className={classes.head}>
        <h2>{words.gauge}</h2>
        <span className="dimmed">{words.gaugePlan(plan)}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> each in their own way */}
      <div
        className={classes.gauge}
        role="meter"
        aria-label={words.gauge}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={words.gaugeOf(used, limit)}
      >
        <div data-close={close || undefined} style={{ width: `${share * 100}%` }} />
      </div>
      <Text className="figures">{words.gaugeOf(used, limit)}</Text>
      {close && <Text c="dimmed">{words.gaugeClose}</Text>}
    </section>
  );
}
