import { Status, type Tone } from '../components/status';
import { texts } from '../i18n/texts';
import type { Channel } from './api';

const t = texts('channels');

const TONES: Record<Channel['status'], Tone> = { connecting: 'wait', connected: 'ok', disconnected: 'bad' };

export function ChannelState({ channel }: { channel: Channel }) {
  return <Status tone={TONES[channel.status]}>{t(`statuses.${channel.status}`)}</Status>;
}
