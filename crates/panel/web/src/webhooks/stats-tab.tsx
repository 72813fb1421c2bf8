import { Text, Title } from '@mantine/core';
import { useWhere } from '../app/here';
import { Fact, Facts } from '../components/facts';
import { Loaded } from '../components/loaded';
import { DataTable } from '../components/table';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { byAnswer, byKind, type Tally } from './answers';
import type { Webhook } from './api';
import { useNewest } from './deliveries';
import { durationOf, successOf } from './health';
import classes from './webhooks.module.css';

const t = texts('webhooks');

/** The health of the receiver in the last 24 hours and in the newest deliveries. */
export function StatsTab({ webhook }: { webhook: Webhook }) {
  const { workspace } = useWhere();
  const newest = useNewest(workspace.id, webhook.id);
  const { stats } = webhook;
  return (
    <>
      <Facts>
        <Fact name={t('rate')}>{successOf(stats) ?? '–'}</Fact>
        <Fact name={t('succeeded24')}>{number(stats.succeeded_24h)}</Fact>
        <Fact name={t('failed24')} tone={stats.failed_24h > 0 ? 'bad' : undefined}>
          {number(stats.failed_24h)}
        </Fact>
        <Fact name={t('slow')}>{stats.p95_ms === null ? '–' : durationOf(stats.p95_ms)}</Fact>
        <Fact name={t('lastSuccess')}>
          {webhook.last_delivery_at ? <When at={webhook.last_delivery_at} /> : t('never')}
        </Fact>
      </Facts>
      <Text c="dimmed">{t('statsHint')}</Text>
      <section className={classes.section}>
        <Title order={2}>{t('newest', { deliveries: newest.data?.length ?? 0 })}</Title>
        <Loaded asked={newest}>
          {(data) => (
            <div className={classes.columns}>
              <Tallies label={t('byResponse')} rows={byAnswer(data)} />
              <Tallies label={t('byType')} rows={byKind(data)} />
            </div>
          )}
        </Loaded>
      </section>
    </>
  );
}

function Tallies({ label, rows }: { label: string; rows: Tally[] }) {
  if (rows.length === 0) return <Text c="dimmed">{t('noDeliveries')}</Text>;
  return (
    <DataTable
      label={label}
      rows={rows}
      rowKey={(it) => it.name}
      columns={[
        { key: 'name', header: label, render: (it) => <code>{it.name}</code> },
        { key: 'count', header: t('deliveries'), align: 'end', render: (it) => number(it.count) },
        {
          key: 'failed',
          header: t('statuses.failed'),
          align: 'end',
          render: (it) => number(it.failed),
        },
      ]}
    />
  );
}
