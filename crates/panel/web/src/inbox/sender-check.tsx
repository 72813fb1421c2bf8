import { Button, Popover, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { texts } from '../i18n/texts';
import type { Message } from '../sandbox/messages';

const t = texts('inbox');

/** A warning if the sender of a mail did not pass the check, and a hint if the channel does not check senders. */
export function SenderCheck({ message }: { message: Message }) {
  if (message.direction !== 'inbound') return null;
  if (message.sender_verified === false) return ` · ${t('unverified')}`;
  // Messages in events of an earlier release do not have it.
  if (message.sender_verified !== null) return null;
  return <Unchecked channel={message.channel_id} />;
}

/** A button that shows why the sender is not checked, with a link to the channel. */
function Unchecked({ channel }: { channel: string }) {
  return (
    <Popover position="bottom-start" width={300} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" size="compact-xs" mih={24}>
          {t('unchecked')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)">
        <Text size="sm" mb="xs">
          {t('uncheckedHint')}
        </Text>
        <Link to="/channels" search={{ channel }}>
          {t('uncheckedLink')}
        </Link>
      </Popover.Dropdown>
    </Popover>
  );
}
