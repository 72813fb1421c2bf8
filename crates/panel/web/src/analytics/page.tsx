import { Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { Choice } from '../components/choice';
import { Fact, Facts } from '../components/facts';
import { labelWidth } from '../components/label';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { zones } from '../settings/zones';
import classes from './analytics.module.css';
import { useAnalytics } from './api';
import { ChartCard } from './card';
import { Save } from './save';
import { type AnalyticsSearch, intervalOf, intervalsFor, RANGES, type Range, USUAL } from './search';
import { LINES, type Overview, type Subject } from './series';
import { ByBroadcast, ByChannel, ByFlow, BySequence, NotSent } from './tables';

const t = texts('analytics');

/** Insight › Analytics. */
export function Analytics() {
  const { workspace } = useWhere();
  const [search, show] = useSearchState<AnalyticsSearch>();
  const range = search.last ?? USUAL;
  const interval = intervalOf(search);
  const zone = search.zone ?? workspace.time_zone;
  const asked = useAnalytics(workspace.id, range, interval, zone);
  return (
    <Page
      title={t('title')}
      description={t('description')}
      action={asked.data && <Save overview={asked.data} />}
      call={{ path: `/api/v1/analytics/overview?interval=${interval}&time_zone=${encodeURIComponent(zone)}` }}
    >
      <Filters search={search} set={show} zone={zone} />
      <Loaded asked={asked} lines={12}>
        {(data) => <Shown overview={data} />}
      </Loaded>
    </Page>
  );
}

interface FilterProps {
  search: AnalyticsSearch;
  set: (next: AnalyticsSearch) => void;
  zone: string;
}

function Filters({ search, set, zone }: FilterProps) {
  const range = search.last ?? USUAL;
  const all = useMemo(() => zones(zone), [zone]);
  return (
    <div className={classes.filters}>
      <Choice
        label={t('range')}
        width={190}
        required
        value={range}
        options={(Object.keys(RANGES) as Range[]).map((value) => ({ value, label: t(`spans.${value}`) }))}
        onChange={(it) => set({ last: it as AnalyticsSearch['last'] })}
      />
      <Choice
        label={t('interval')}
        width={120}
        required
        value={intervalOf(search)}
        options={intervalsFor(range).map((value) => ({ value, label: t(`intervals.${value}`) }))}
        onChange={(it) => set({ by: it as AnalyticsSearch['by'] })}
      />
      <Select
        className={classes.zone}
        classNames={{ section: classes.label }}
        aria-label={t('zone')}
        leftSection={t('zone')}
        leftSectionWidth={labelWidth(t('zone'))}
        leftSectionPointerEvents="none"
        data={all}
        value={zone}
        searchable
        allowDeselect={false}
        limit={100}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(it) => set({ zone: it ?? undefined })}
      />
    </div>
  );
}

/** The inbox view for each conversation status. */
const VIEWS = { open: 'open', pending: 'bot', snoozed: 'snoozed' } as const;

/** The server counts up to 10,000. */
const atMost = (count: number) => `${number(count)}${count >= 10_000 ? '+' : ''}`;

function Shown({ overview }: { overview: Overview }) {
  const { totals } = overview;
  return (
    <>
      <Facts>
        <Fact name={t('totals.contacts')}>{number(overview.contacts.total)}</Fact>
        <Fact name={t('totals.received')}>{number(totals.messages.received)}</Fact>
        <Fact name={t('totals.sent')}>{number(totals.messages.sent)}</Fact>
        <Fact name={t('totals.runsStarted')}>{number(totals.flows.started)}</Fact>
        {(Object.keys(VIEWS) as (keyof typeof VIEWS)[]).map((state) => (
          <Fact key={state} name={t(`totals.${state}`)}>
            <Link to={'/inbox' as '/'} search={{ view: VIEWS[state] } as never}>
              {atMost(overview.conversations[state])}
            </Link>
          </Fact>
        ))}
      </Facts>
      <Text c="dimmed" mb="md">
        {t('updated')} <When at={overview.as_of} />
      </Text>
      <div className={classes.cards}>
        {(Object.keys(LINES) as Subject[]).map((subject) => (
          <ChartCard key={subject} overview={overview} subject={subject} />
        ))}
      </div>
      <ByChannel overview={overview} />
      <NotSent overview={overview} />
      <ByFlow overview={overview} />
      <BySequence overview={overview} />
      <ByBroadcast overview={overview} />
    </>
  );
}
