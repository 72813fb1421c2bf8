import { Title } from '@mantine/core';
import { useWhere } from '../app/here';
import { Details } from '../components/details';
import { When } from '../components/when';
import type { Condition } from '../conditions/grammar';
import { useConditionFields } from '../conditions/use-fields';
import { described } from '../conditions/words';
import { broadcasts as words } from '../i18n/en/broadcasts';
import { useChannels } from '../inbox/api';
import { useSegments } from '../segments/api';
import classes from './broadcasts.module.css';
import { type Audience, type Broadcast, draftOf, segmentOf } from './draft';
import { told } from './schedule';
import { Words } from './words';

/** What a broadcast is, for who does not change it. */
export function Facts({ broadcast }: { broadcast: Broadcast }) {
  const { workspace } = useWhere();
  const draft = draftOf(broadcast);
  const channels = useChannels(workspace.id);
  const usual = channels.find((it) => it.is_default)?.name;
  const rows: [string, React.ReactNode][] = [
    [words.audience, <AudienceWords key="audience" audience={draft.audience} />],
    [words.channel, channels.find((it) => it.id === draft.channel_id)?.name ?? words.defaultChannel(usual)],
    [words.schedule, draft.scheduled_at ? told(workspace.time_zone, draft.scheduled_at) : words.atOnceLong],
  ];
  if (draft.scheduled_at) {
    rows.push([words.clocks, draft.time_zone === 'contact' ? words.clocksContact : words.clocksWorkspace]);
  }
  rows.push([words.rate, draft.rate_per_minute?.toLocaleString('en') ?? words.noRate]);
  if (broadcast.started_at) rows.push([words.began, <When key="began" at={broadcast.started_at} />]);
  if (broadcast.ended_at) rows.push([words.ended, <When key="ended" at={broadcast.ended_at} />]);
  rows.push([words.created, <When key="created" at={broadcast.created_at} />]);
  return (
    <section className={classes.card} aria-labelledby="facts">
      <Title order={2} id="facts" mb="sm">
        {words.facts}
      </Title>
      <Words message={draft.message} />
      <div className={classes.gap}>
        <Details rows={rows} />
      </div>
    </section>
  );
}

/** An audience in a sentence. */
function AudienceWords({ audience }: { audience: Audience }) {
  const { workspace } = useWhere();
  const segments = useSegments(workspace.id);
  const { fields } = useConditionFields();
  const id = segmentOf(audience);
  if (id) {
    const name = segments.data?.find((it) => it.id === id)?.name;
    return segments.data ? words.ofSegment(name ?? words.lostSegment) : null;
  }
  return fields ? described(audience as Condition, fields) || words.everybody : null;
}
