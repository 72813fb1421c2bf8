import { usePresent } from '../components/clock';
import { Details } from '../components/details';
import { Status, type Tone } from '../components/status';
import { When } from '../components/when';
import { apiMessage } from '../i18n/api-messages';
import { texts } from '../i18n/texts';
import type { Channel } from './api';
import classes from './channels.module.css';

const t = texts('channels');

type State = NonNullable<Channel['health']>['state'];

const TONES: Record<State, Tone> = { ok: 'ok', failing: 'bad', unknown: 'wait' };

/** The time before the end of a credential from which the panel warns, in milliseconds. */
const WARNING = 7 * 86_400_000;

/** The state of a channel at its provider, with the problems. It shows nothing if nothing is known. */
export function Health({ channel }: { channel: Channel }) {
  const { health } = channel;
  const now = usePresent();
  if (!health || (health.state === 'unknown' && !health.last_inbound_at)) return null;
  const { state, problems, webhook, checked_at, last_inbound_at, last_sent_at, failing_since } = health;
  const { limits, credential_expires_at: end } = health;
  const at = (label: string, time: string | null | undefined): [string, React.ReactNode][] =>
    time ? [[label, <When key={label} at={time} />]] : [];
  const rows: [string, React.ReactNode][] = [
    [
      t('health'),
      <Status key="state" tone={TONES[state]}>
        {t(`healthStates.${state}`)}
      </Status>,
    ],
    ...at(t('failingSince'), failing_since),
    ...at(t('checkedAt'), checked_at),
    ...at(t('lastInbound'), last_inbound_at),
    ...at(t('lastSent'), last_sent_at),
    ...(webhook.pending ? [[t('pending'), webhook.pending] as [string, React.ReactNode]] : []),
    ...(webhook.last_error ? [[t('deliveryError'), webhook.last_error] as [string, React.ReactNode]] : []),
    ...Object.entries(limits).map(([name, value]): [string, React.ReactNode] => [
      t.find('limits', name) ?? name,
      t.find('limitValues', String(value)) ?? String(value),
    ]),
    ...(end
      ? [[t('tokenEnds'), <When key="end" at={end} canBeFuture isRealTime />] as [string, React.ReactNode]]
      : []),
  ];
  const endsSoon = end && Date.parse(end) - now < WARNING;
  return (
    <div className={classes.section}>
      <h3>{t('atTheProvider')}</h3>
      <Details rows={rows} />
      {endsSoon && <p className={classes.fault}>{t('tokenEndsSoon')}</p>}
      {problems.length > 0 && (
        <ul className={classes.requests}>
          {problems.map(({ code, message, since }) => (
            <li key={code}>
              <span className={classes.fault}>{t.find('problems', code) ?? apiMessage(message)}</span>
              {' · '}
              <When at={since} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
