import { Button, Drawer } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useAccount } from '../app/use-session';
import { Empty, Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import type { Message } from '../sandbox/messages';
import type { Action } from './actions';
import { quoteOf } from './answered';
import { useChannels, useConversation } from './api';
import { ContactCard } from './card';
import { Composer } from './composer';
import classes from './conversation.module.css';
import { drafts } from './drafts';
import { ConversationHead } from './head';
import { useKeys } from './keys';
import { nameOf, useContact } from './people';
import { Thread } from './thread';
import type { Conversation } from './views';

const t = texts('inbox');

interface Props {
  id: string;
  /** Increases when the user asks to write here. */
  focus: number;
  pending: boolean;
  act: (on: Conversation, action: Action, name?: string) => void;
  /** Moves the focus to the field for a reply or a note. */
  write: (as: 'reply' | 'note') => void;
  back: () => void;
}

/** A conversation: its thread, the composer, and the contact beside them. */
export function OpenConversation({ id, ...props }: Props) {
  const { workspace } = useWhere();
  const asked = useConversation(workspace.id, id);
  if (asked.data) {
    return <Opened conversation={asked.data} {...props} />;
  }
  const gone = asked.error instanceof Problem && asked.error.status === 404;
  return (
    <div className={classes.alone}>
      {gone ? (
        <Empty
          title={t('gone')}
          action={
            <Button variant="default" onClick={props.back}>
              {t('back')}
            </Button>
          }
        >
          {t('goneHint')}
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
  write,
  back,
}: Omit<Props, 'id'> & { conversation: Conversation }) {
  const { workspace } = useWhere();
  const contact = useContact(workspace.id, conversation.contact_id);
  const channels = useChannels(workspace.id);
  const name = nameOf(contact.data, conversation.contact_id);
  const [written, setWritten] = useState(0);
  const [showing, setShowing] = useState(false);
  const pane = useRef<HTMLElement>(null);
  const perform = (action: Action) => act(conversation, action, name);
  const answer = (message: Message) => {
    drafts.change(conversation.id, { replyTo: { id: message.id, text: quoteOf(message) } });
    write('reply');
  };
  useReading(conversation, act);
  useOpenKeys(conversation, pending, perform, write);
  return (
    <>
      <section ref={pane} className={classes.pane} aria-label={name}>
        <ConversationHead
          conversation={conversation}
          name={name}
          pending={pending}
          act={perform}
          back={back}
          showContact={() => setShowing(true)}
        />
        <TakeOver conversation={conversation} act={perform} />
        <Thread conversation={conversation} written={written} onReply={answer} />
        <Composer
          conversation={conversation}
          name={name}
          channel={channels.find((it) => it.id === conversation.channel_id)}
          focus={focus}
          onSent={() => setWritten((it) => it + 1)}
          resolve={conversation.status === 'resolved' ? undefined : () => perform({ do: 'resolve' })}
          onLeave={() => pane.current?.querySelector<HTMLElement>('[role="log"]')?.focus()}
        />
      </section>
      <aside className={classes.card} aria-label={t('contact')}>
        <ContactCard of={conversation} />
      </aside>
      <Drawer
        opened={showing}
        onClose={() => setShowing(false)}
        title={t('contact')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <ContactCard of={conversation} />
      </Drawer>
    </>
  );
}

/** A note that a bot answers here, with a button to take over. */
function TakeOver({ conversation, act }: { conversation: Conversation; act: (action: Action) => void }) {
  const { role } = useWhere();
  const { user } = useAccount();
  if (conversation.handler === 'human' || conversation.status === 'resolved') return null;
  return (
    <div className={classes.bot}>
      <IconRobot size={16} aria-hidden />
      <span>{conversation.handler === 'ai' ? t('aiHandles') : t('botHandles')}</span>
      {mayWrite(role) && (
        <Button size="compact-sm" variant="default" onClick={() => act({ do: 'assign', to: user.id })}>
          {t('takeOver')}
        </Button>
      )}
    </div>
  );
}

/** The keyboard shortcuts for the open conversation. */
function useOpenKeys(
  { status, assignee_id: assignee }: Conversation,
  pending: boolean,
  act: (action: Action) => void,
  write: Props['write'],
) {
  const { role } = useWhere();
  const { user } = useAccount();
  const actions = {
    reply: () => write('reply'),
    note: () => write('note'),
    take: () => assignee !== user.id && act({ do: 'assign', to: user.id }),
    end: () => !pending && act({ do: status === 'resolved' ? 'reopen' : 'resolve' }),
  };
  useKeys(mayWrite(role) ? actions : {});
}

/** Marks the open conversation as read while the window is visible. */
function useReading(conversation: Conversation, act: Props['act']) {
  const { role } = useWhere();
  const writes = mayWrite(role);
  const { id, unread_count: unread } = conversation;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each change of the unread count
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
