import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { texts } from '../i18n/texts';
import type { Channel } from './api';
import classes from './composer.module.css';
import { type Draft, messageOf } from './drafts';

const t = texts('inbox');

/** The milliseconds after the last keystroke before the segments are counted. */
const PAUSE = 400;

interface Props {
  ws: string;
  channel: Channel | undefined;
  draft: Draft;
}

/**
 * The number of segments by which the provider charges an SMS. A message with files has none, because the length of
 * their links is not known before it is sent.
 */
export function Segments({ ws, channel, draft }: Props) {
  const message = messageOf({ ...draft, replyTo: undefined });
  const isCounted =
    channel?.kind === 'sms' && draft.as === 'reply' && !!message.text && draft.files.length === 0;
  const [asked] = useDebouncedValue(isCounted ? JSON.stringify(message) : '', PAUSE);
  const id = channel?.id ?? '';
  const { data } = useQuery({
    queryKey: ['sms-segments', ws, id, asked],
    enabled: isCounted && asked !== '',
    queryFn: ({ signal }) =>
      apiIn(ws).POST('/api/v1/channels/{id}/preview', {
        params: { path: { id } },
        body: { message: JSON.parse(asked) },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    placeholderData: (before) => before,
  });
  if (!isCounted || !data?.segments) return null;
  const { count, encoding } = data.segments;
  return (
    <div className={classes.hint} title={t(`segments.${encoding}`)}>
      {t('segments.count', { count })}
    </div>
  );
}
