import { IconFlask, IconPlugConnected } from '@tabler/icons-react';
import { useNow } from '../components/clock';
import { Status, type Tone } from '../components/status';
import { absolute } from '../components/time';
import { texts } from '../i18n/texts';
import type { Channel } from './api';
import classes from './marks.module.css';
import { span, until } from './times';
import type { Conversation } from './views';

const t = texts('inbox');

/** The handler of a conversation: a bot, an assistant or a person. */
export function HandlerMark({ handler }: { handler: Conversation['handler'] }) {
  return (
    <span className={classes.handler} data-handler={handler}>
      {t(`handlers.${handler}`)}
    </span>
  );
}

export function ChannelMark({ channel }: { channel: Channel | undefined }) {
  if (!channel) return null;
  const Icon = channel.kind === 'sandbox' ? IconFlask : IconPlugConnected;
  return (
    <span className={classes.channel}>
      <Icon size={13} stroke={1.6} aria-hidden />
      <span className={classes.channelName}>{channel.name}</span>
    </span>
  );
}

const TONES: Record<Conversation['status'], Tone> = {
  open: 'ok',
  pending: 'off',
  snoozed: 'wait',
  resolved: 'off',
};

export function StateMark({ of }: { of: Conversation }) {
  const now = useNow();
  return (
    <Status tone={TONES[of.status]}>
      {of.status === 'snoozed' && of.snoozed_until
        ? t('snoozedUntil', { time: until(of.snoozed_until, now) })
        : t(`statuses.${of.status}`)}
    </Status>
  );
}

/** A duration since a time, which is updated. */
export function Span({ since, say = (it) => it }: { since: string; say?: (span: string) => string }) {
  const now = useNow();
  return (
    <time dateTime={since} title={absolute(since)} className="figures">
      {say(span(since, now))}
    </time>
  );
}
