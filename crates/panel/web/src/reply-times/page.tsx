import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { useNow } from '../components/clock';
import { Fact, Facts } from '../components/facts';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { type Replies, useReplies } from './api';
import { RangeFilters } from './filters';
import { daysOf, instantsOf } from './range';
import type { RepliesSearch } from './search';
import { ByAgent, ByChannel, shown } from './tables';

const t = texts('reply-times');

/** Insight › Reply times. */
export function ReplyTimes() {
  const { workspace } = useWhere();
  const [search, show] = useSearchState<RepliesSearch>();
  const zone = workspace.time_zone;
  const days = daysOf(search, zone, useNow());
  const range = instantsOf(days, zone);
  const asked = useReplies(workspace.id, range);
  const query = range && new URLSearchParams(range).toString();
  return (
    <Page
      title={t('title')}
      description={t('description')}
      call={{ path: `/api/v1/analytics/replies${query ? `?${query}` : ''}` }}
    >
      <RangeFilters search={search} show={show} days={days} />
      {!range ? null : asked.error && !asked.data ? (
        <Failure error={asked.error} retry={() => void asked.refetch()} />
      ) : asked.data ? (
        <Shown replies={asked.data} />
      ) : (
        <Waiting lines={8} />
      )}
    </Page>
  );
}

const toInbox = (props: object) => <Link to="/inbox/{-$conversation}" {...props} />;

function Shown({ replies }: { replies: Replies }) {
  const { first_reply: first, resolution } = replies.totals;
  if (first.count + resolution.count === 0)
    return (
      <Empty title={t('emptyTitle')} action={<Button renderRoot={toInbox}>{t('openInbox')}</Button>}>
        {t('emptyText')}
      </Empty>
    );
  return (
    <>
      <Facts>
        <Fact name={t('columns.first_reply.median')}>{shown(first.median_seconds)}</Fact>
        <Fact name={t('columns.first_reply.p90')}>{shown(first.p90_seconds)}</Fact>
        <Fact name={t('columns.first_reply.count')}>{number(first.count)}</Fact>
        <Fact name={t('columns.resolution.median')}>{shown(resolution.median_seconds)}</Fact>
        <Fact name={t('columns.resolution.p90')}>{shown(resolution.p90_seconds)}</Fact>
        <Fact name={t('columns.resolution.count')}>{number(resolution.count)}</Fact>
        <Fact name={t('updated')}>
          <When at={replies.as_of} />
        </Fact>
      </Facts>
      <p className="dimmed">{t('explanation')}</p>
      <ByAgent replies={replies} />
      <ByChannel replies={replies} />
    </>
  );
}
