import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { useChannels } from '../channels/api';
import { shortened } from '../components/id';
import { texts } from '../i18n/texts';

const t = texts('analytics');

/** The name of a channel, as a link to the channel. */
export function ChannelName({ id }: { id: string }) {
  const { workspace } = useWhere();
  const channels = useChannels(workspace.id).data;
  const name = channels?.find((it) => it.id === id)?.name;
  if (name)
    return (
      <Link to="/channels" search={{ channel: id }}>
        {name}
      </Link>
    );
  return (
    <span className="dimmed" title={id}>
      {channels ? t('deletedChannel') : shortened(id)}
    </span>
  );
}
