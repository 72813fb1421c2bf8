import { Text, Title } from '@mantine/core';
import { useWhere } from '../app/here';
import { Fact, Facts } from '../components/facts';
import { Failure, Waiting } from '../components/states';
import { DataTable } from '../components/table';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { byAnswer, byKind, type Tally } from './answers';
import type { Webhook } from './api';
import { useNewest } from './deliveries';
import { durationOf, successOf } from './health';
import classes from './webhooks.module.css';

const words = en.webhooks;

/** How the receiver does: of the last day, and in the newest deliveries. */
export function StatsTab({ webhook }: { webhook: Webhook }) {
  const { workspace } = useWhere();
  const newest = useNewest(workspace.id, webhook.id);
  const { stats } = webhook;
  return (
    <>
      <Facts>
        <Fact name={words.rate}>{successOf(stats) ?? '–'}</Fact>
        <Fact name={words.taken24}>{stats.succeeded_24h.toLocaleString('en')}</Fact>
        <Fact name={words.failed24} tone={stats.failed_24h > 0 ? 'bad' : undefined}>
          {stats.failed_24h.toLocaleString('en')}
        </Fact>
        <Fact name={words.slow}>{stats.p95_ms === null ? '–' : durationOf(stats.p95_ms)}</Fact>
        <Fact name={words.lastTaken}>
          {webhook.last_delivery_at ? <When at={webhook.last_delivery_at} /> : en.common.never}
        </Fact>
      </Facts>
      <Text c="dimmed">{words.statsHint}</Text>
      <section className={classes.section}>
        <Title order={2}>{words.newest(newest.data?.length ?? 0)}</Title>
        {newest.error && !newest.data ? (
          <Failure error={newest.error} retry={() => void newest.refetch()} />
        ) : newest.data ? (
          <div className={classes.columns}>
            <Tallies label={words.byAnswer} rows={byAnswer(newest.data)} />
            <Tallies label={words.byKind} rows={byKind(newest.data)} />
          </div>
        ) : (
          <Waiting />
        )}
      </section>
    </>
  );
}

function Tallies({ label, rows }: { label: string; rows: Tally[] }) {
  if (rows.length === 0) return <Text c="dimmed">{words.noDeliveries}</Text>;
  return (
    <DataTable
      label={label}
      rows={rows}
      rowKey={(it) => it.name}
      columns={[
        { key: 'name', header: label, render: (it) => <code>{it.name}</code> },
        { key: 'count', header: words.deliveriesCount, align: 'end', render: (it) => it.count },
        { key: 'failed', header: words.statuses.failed, align: 'end', render: (it) => it.failed },
      ]}
    />
  );
}
