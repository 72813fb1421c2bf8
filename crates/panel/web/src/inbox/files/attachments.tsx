import { IconAlertTriangle, IconClock, IconMapPin } from '@tabler/icons-react';
import { texts } from '../../i18n/texts';
import classes from './attachments.module.css';
import { FileLink } from './file-link';
import { type Attachment, shownAs } from './media';
import { Picture } from './picture';
import { Player } from './player';

const t = texts('inbox');

/** The attachments of a message. */
export function Attachments({ of }: { of: Attachment[] }) {
  if (of.length === 0) return null;
  return (
    <div className={classes.attachments}>
      {of.map((it, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message can have the same file twice
        <Attached key={`${at} ${it.url}`} attachment={it} />
      ))}
    </div>
  );
}

function Attached({ attachment }: { attachment: Attachment }) {
  const { media_id, url, name, mime_type, status, error } = attachment;
  const label = name ?? t('attachment');
  if (status === 'pending') {
    return (
      <div className={classes.state}>
        <IconClock size={16} aria-hidden />
        {t('files.pending', { name: label })}
      </div>
    );
  }
  if (status === 'failed') {
    const reason = t.find('files.lost', error) ?? t('files.lost.unavailable');
    return (
      <div className={classes.state} data-failed>
        <IconAlertTriangle size={16} aria-hidden />
        {t('files.failed', { name: label, reason })}
      </div>
    );
  }
  if (media_id) {
    const kind = shownAs(mime_type);
    if (kind === 'image') return <Picture id={media_id} name={label} />;
    if (kind) return <Player id={media_id} name={label} kind={kind} />;
    return <FileLink id={media_id} name={label} />;
  }
  const map = mapOf(url);
  if (map) {
    return (
      <Outside href={map}>
        <IconMapPin size={16} aria-hidden />
        {name ?? t('files.place')}
      </Outside>
    );
  }
  if (!/^https?:\/\//.test(url)) return <div>{`${label}: ${url}`}</div>;
  return <Outside href={url}>{label}</Outside>;
}

/** A link to another server, in a new tab. The panel does not render content from others. */
function Outside({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <a className={classes.outside} href={href} target="_blank" rel="noreferrer noopener nofollow">
      {children}
    </a>
  );
}

/** The page of a `geo:` URL (RFC 5870) on a map. It is the same as in messages of channels without locations. */
export function mapOf(url: string): string | undefined {
  const [, latitude, longitude] = /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)(?:[,;?]|$)/.exec(url) ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  if (Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) return undefined;
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
}
