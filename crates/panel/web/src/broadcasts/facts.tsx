import { Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { Details } from '../components/details';
import { When } from '../components/when';
import type { Condition } from '../conditions/grammar';
import { useConditionFields } from '../conditions/use-fields';
import { described } from '../conditions/words';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { useChannels } from '../inbox/api';
import { useSegments } from '../segments/api';
import classes from './broadcasts.module.css';
import { type Audience, type Broadcast, draftOf, segmentOf } from './draft';
import { told } from './schedule';
import { defaultChannelName, Words } from './words';

const t = texts('broadcasts');

/** The properties of a broadcast, read-only. */
export function Facts({ broadcast }: { broadcast: Broadcast }) {
  const { workspace } = useWhere();
  const draft = draftOf(broadcast);
  const channels = useChannels(workspace.id);
  const usual = channels.find((it) => it.is_default)?.name;
  const rows: [string, React.ReactNode][] = [
    [t('audience'), <AudienceWords key="audience" audience={draft.audience} />],
    [t('channel'), channels.find((it) => it.id === draft.channel_id)?.name ?? defaultChannelName(usual)],
    [t('when'), draft.scheduled_at ? told(workspace.time_zone, draft.scheduled_at) : t('scheduleNow')],
  ];
  if (draft.scheduled_at) {
    rows.push([t('zone'), t(`zones.${draft.time_zone === 'contact' ? 'contact' : 'workspace'}`)]);
  }
  rows.push([t('rate'), draft.rate_per_minute === null ? t('noRate') : number(draft.rate_per_minute)]);
  if (broadcast.repeats) {
    const first = (
      <Link key="first" to="/broadcasts/$id" params={{ id: broadcast.repeats }}>
        {t('toFirst')}
      </Link>
    );
    rows.push([t('repeatOf'), first]);
  }
  if (broadcast.started_at) rows.push([t('started'), <When key="began" at={broadcast.started_at} />]);
  if (broadcast.ended_at) rows.push([t('ended'), <When key="ended" at={broadcast.ended_at} />]);
  rows.push([t('created'), <When key="created" at={broadcast.created_at} />]);
  return (
    <section className={classes.card} aria-labelledby="facts">
      <Title order={2} id="facts" mb="sm">
        {t('details')}
      </Title>
      <Words message={draft.message} />
      <div className={classes.gap}>
        <Details rows={rows} />
      </div>
    </section>
  );
}

function AudienceWords({ audience }: { audience: Audience }) {
  const { workspace } = useWhere();
  const { fields } = useConditionFields();
  const id = segmentOf(audience);
  const segments = useSegments(workspace.id, id !== undefined);
  if (id) {
    const name = segments.data?.find((it) => it.id === id)?.name;
    if (!segments.data) return null;
    return name === undefined ? t('deletedSegment') : t('ofSegment', { name });
  }
  return fields ? described(audience as Condition, fields) : null;
}
