import { Status, type Tone } from '../components/status';
import { texts } from '../i18n/texts';
import { type Channel, hasProblems } from './api';

const t = texts('channels');

const TONES: Record<Channel['status'], Tone> = { connecting: 'wait', connected: 'ok', disconnected: 'bad' };

/** The status of a channel. A connected channel is green only without problems at its provider. */
export function ChannelState({ channel }: { channel: Channel }) {
  if (hasProblems(channel)) return <Status tone="bad">{t('connectedFailing')}</Status>;
  return <Status tone={TONES[channel.status]}>{t(`statuses.${channel.status}`)}</Status>;
}
