import { Button } from '@mantine/core';
import {
  IconBolt,
  IconCalendarRepeat,
  IconInfoCircle,
  IconMessage,
  IconMessageOff,
  IconSitemap,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { useWhere } from '../app/here';
import { Choice } from '../components/choice';
import { LinkedText } from '../components/linked-text';
import { Loaded } from '../components/loaded';
import { IdMenu } from '../components/page-menu';
import { Empty } from '../components/states';
import { When } from '../components/when';
import { WholeTimes } from '../components/whole-times';
import { useChannels, useCustomFields, useTags } from '../conditions/use-fields';
import { texts } from '../i18n/texts';
import { useActorNames } from '../members/actor-names';
import { type TimelineEntry, useNamed, useTimeline } from './api';
import { shownOnce } from './shown-once';
import classes from './timeline.module.css';
import { type Names, told } from './told';

const t = texts('contact');

const KINDS = [
  'message,suppression',
  'suppression',
  'run_step',
  'enrollment',
  'custom_event',
  'event',
] as const;
const ICONS: Record<TimelineEntry['kind'], typeof IconBolt> = {
  message: IconMessage,
  suppression: IconMessageOff,
  run_step: IconSitemap,
  enrollment: IconCalendarRepeat,
  custom_event: IconBolt,
  event: IconInfoCircle,
};

interface Props {
  id: string;
  kind: string | undefined;
  onKind: (kind: string | undefined) => void;
}

/** The timeline of a contact, newest first. It loads more entries while the user scrolls. */
export function Timeline({ id, kind, onKind }: Props) {
  const { workspace } = useWhere();
  const known = KINDS.find((it) => it === kind);
  const asked = useTimeline(workspace.id, id, known);
  const names = useNames();
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = asked;
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || isFetchNextPageError || !end.current) return;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      rootMargin: '400px',
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const entries = shownOnce(asked.data?.pages.flatMap((page) => page.data) ?? []);
  return (
    <>
      <div className={classes.filters}>
        <Choice
          label={t('show')}
          width={190}
          value={known}
          options={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          onChange={onKind}
        />
      </div>
      <Loaded asked={asked}>
        {() =>
          entries.length === 0 ? (
            <Empty
              title={known ? t('emptyOfKind') : t('empty')}
              action={
                known && (
                  <Button variant="default" onClick={() => onKind(undefined)}>
                    {t('showAll')}
                  </Button>
                )
              }
            >
              {t('emptyHint')}
            </Empty>
          ) : (
            <ol className={classes.list} aria-label={t('tabs.timeline')}>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} names={names} />
              ))}
            </ol>
          )
        }
      </Loaded>
      {hasNextPage && (
        <div ref={end} className={classes.more}>
          <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('loadMore')}
          </Button>
        </div>
      )}
    </>
  );
}

function Entry({ entry, names }: { entry: TimelineEntry; names: Names }) {
  const { administers } = useWhere();
  const { title, detail, node, tone, link } = told(entry, names);
  const Icon = ICONS[entry.kind];
  return (
    <li className={classes.entry} data-tone={tone}>
      <Icon size={16} className={classes.icon} aria-hidden />
      <div className={classes.words}>
        <div className={classes.title}>
          {link ? (
            <Link to={link.to as never} search={link.search as never} preload={false}>
              {title}
            </Link>
          ) : (
            title
          )}
        </div>
        {detail && (
          <div className={classes.detail}>
            <LinkedText>{detail}</LinkedText>
          </div>
        )}
      </div>
      {node && administers && <IdMenu id={node} />}
      <span className={classes.time}>
        <WholeTimes value={true}>
          <When at={entry.at} />
        </WholeTimes>
      </span>
    </li>
  );
}

/** Returns the name of an object in a timeline by its ID, if it is known. */
function useNames(): Names {
  const { workspace } = useWhere();
  const { flows, sequences, broadcasts } = useNamed(workspace.id);
  const actors = useActorNames(workspace.id);
  const tags = useTags().data;
  const fields = useCustomFields().data;
  const channels = useChannels().data;
  return useMemo(() => {
    const all = [flows, sequences, broadcasts, tags ?? [], fields ?? [], channels ?? []].flat();
    const names = new Map(all.map(({ id, name }) => [id, name]));
    return (id) => names.get(id) ?? actors(id);
  }, [flows, sequences, broadcasts, tags, fields, channels, actors]);
}
