import { Text } from '@mantine/core';
import { texts } from '../i18n/texts';
import classes from './traffic.module.css';

const t = texts('home');

interface Props {
  used: number | undefined;
  limit: number | undefined;
  plan: string;
}

/** The requests of the busiest minute as a share of the plan's limit. */
export function Gauge({ used, limit, plan }: Props) {
  if (used === undefined || limit === undefined) return <section className={classes.card} />;
  const share = Math.min(1, used / limit);
  const close = share >= 0.8;
  return (
    <section className={classes.card}>
      <div className={classes.head}>
        <h2>{t('gauge')}</h2>
        <span className="dimmed">{t('gaugePlan', { plan })}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers render <meter> differently */}
      <div
        className={classes.gauge}
        role="meter"
        aria-label={t('gauge')}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={t('gaugeOf', { used, limit })}
      >
        <div data-close={close || undefined} style={{ width: `${share * 100}%` }} />
      </div>
      <Text className="figures">{t('gaugeOf', { used, limit })}</Text>
      {close && <Text c="dimmed">{t('gaugeClose')}</Text>}
    </section>
  );
}
