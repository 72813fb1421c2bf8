import { Button, Drawer } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useAccount } from '../app/use-session';
import { Empty, Failure, Waiting } from '../components/states';
import { en } from '../i18n/en';
import type { Action } from './actions';
import { useChannels, useConversation } from './api';
import { ContactCard } from './card';
import { Composer } from './composer';
import classes from './conversation.module.css';
import { ConversationHead } from './head';
import { nameOf, useContact } from './people';
import { Thread } from './thread';
import type { Conversation } from './views';

const words = en.inbox;

interface Props {
  id: string;
  /** Counts up when somebody asked to write here. */
  focus: number;
  pending: boolean;
  act: (on: Conversation, action: Action) => void;
  back: () => void;
}

/** One conversation: thread, composer, and the contact beside them. */
export function OpenConversation({ id, focus, pending, act, back }: Props) {
  const { workspace } = useWhere();
  const asked = useConversation(workspace.id, id);
  if (asked.data) {
    return <Opened conversation={asked.data} focus={focus} pending={pending} act={act} back={back} />;
  }
  const gone = asked.error instanceof Problem && asked.error.status === 404;
  return (
    <div className={classes.alone}>
      {gone ? (
        <Empty
          title={words.gone}
          action={
            <Button variant="default" onClick={back}>
              {words.back}
            </Button>
          }
        >
          {words.goneHint}
        </Empty>
      ) : asked.error ? (
        <Failure error={asked.error} retry={() => void asked.refetch()} />
      ) : (
        <Waiting />
      )}
    </div>
  );
}

function Opened({
  conversation,
  focus,
  pending,
  act,
  back,
}: Omit<Props, 'id'> & { conversation: Conversation }) {
  const { workspace } = useWhere();
  const contact = useContact(workspace.id, conversation.contact_id);
  const channels = useChannels(workspace.id);
  const name = nameOf(contact.data, conversation.contact_id);
  const [written, setWritten] = useState(0);
  const [showing, setShowing] = useState(false);
  useReading(conversation, act);
  return (
    <>
      <section className={classes.pane} aria-label={name}>
        <ConversationHead
          conversation={conversation}
          name={name}
          pending={pending}
          act={(action) => act(conversation, action)}
          back={back}
          showContact={() => setShowing(true)}
        />
        <TakeOver conversation={conversation} act={act} />
        <Thread conversation={conversation} written={written} />
        <Composer
          conversation={conversation}
          name={name}
          channel={channels.find((it) => it.id === conversation.channel_id)}
          focus={focus}
          onSent={() => setWritten((it) => it + 1)}
        />
      </section>
      <aside className={classes.card} aria-label={words.card}>
        <ContactCard id={conversation.contact_id} />
      </aside>
      <Drawer
        opened={showing}
        onClose={() => setShowing(false)}
        title={words.card}
        closeButtonProps={{ 'aria-label': en.common.close }}
      >
        <ContactCard id={conversation.contact_id} />
      </Drawer>
    </>
  );
}

/** Says that a bot answers here, and lets a person take over. */
function TakeOver({ conversation, act }: { conversation: Conversation } & Pick<Props, 'act'>) {
  const { role } = useWhere();
  const { user } = useAccount();
  if (conversation.handler === 'human' || conversation.status === 'resolved') return null;
  return (
    <div className={classes.bot}>
      <IconRobot size={16} aria-hidden />
      <span>{conversation.handler === 'ai' ? words.aiHandles : words.botHandles}</span>
      {mayWrite(role) && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => act(conversation, { do: 'assign', to: user.id })}
        >
          {words.takeOver}
        </Button>
      )}
    </div>
  );
}

/** What somebody has in front of them is read, unless the window is out of sight. */
function useReading(conversation: Conversation, act: Props['act']) {
  const { role } = useWhere();
  const writes = mayWrite(role);
  const { id, unread_count: unread } = conversation;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that something is unread
  useEffect(() => {
    if (unread === 0 || !writes) return;
    const read = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', read);
      act(conversation, { do: 'read' });
    };
    document.addEventListener('visibilitychange', read);
    read();
    return () => document.removeEventListener('visibilitychange', read);
  }, [id, unread, writes]);
}
