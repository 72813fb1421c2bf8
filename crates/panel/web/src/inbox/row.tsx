import { Checkbox } from '@mantine/core';
import { useRef } from 'react';
import { texts } from '../i18n/texts';
import { type Message, wordsOf } from '../sandbox/messages';
import type { Channel } from './api';
import classes from './list.module.css';
import { ChannelMark, HandlerMark, Span, StateMark } from './marks';
import { useLastMessage } from './messages-api';
import { useSeen } from './use-seen';
import { type Conversation, lastOf } from './views';

const t = texts('inbox');

interface Props {
  ws: string;
  conversation: Conversation;
  name: string;
  channel: Channel | undefined;
  me: string;
  open: boolean;
  /** Whether it is selected. Absent outside of the selection mode. */
  selected: boolean | undefined;
  onSelect: () => void;
  /** Whether this row is the tab stop of the list. */
  stop: boolean;
  onOpen: () => void;
  onKeyDown: (event: React.KeyboardEvent<HTMLButtonElement>) => void;
}

export function Row(props: Props) {
  const { ws, conversation, name, channel, me, open, selected, onSelect, stop, onOpen, onKeyDown } = props;
  const box = useRef<HTMLButtonElement>(null);
  const seen = useSeen(box);
  const last = useLastMessage(ws, conversation, seen && conversation.last_message_at !== null);
  const { unread_count: unread, waiting_since: waiting } = conversation;
  return (
    <div className={classes.item} data-selected={selected || undefined}>
      {selected !== undefined && (
        <Checkbox
          size="xs"
          className={classes.check}
          aria-label={t('select.one', { name })}
          checked={selected}
          onChange={onSelect}
        />
      )}
      <button
        ref={box}
        type="button"
        className={classes.row}
        data-conversation={conversation.id}
        data-unread={unread > 0 || undefined}
        aria-current={open || undefined}
        tabIndex={stop ? 0 : -1}
        onClick={onOpen}
        onKeyDown={onKeyDown}
      >
        <span className={classes.line}>
          <span className={classes.name}>{name}</span>
          <span className={classes.time} data-waiting={waiting ? true : undefined}>
            <Span since={waiting ?? lastOf(conversation)} />
          </span>
        </span>
        <span className={classes.line}>
          <span className={classes.said}>
            {last.data ? saying(last.data, me) : last.isPending ? ' ' : t('noMessages')}
          </span>
          {unread > 0 && (
            <span className={classes.unread}>
              <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
              <span className={classes.hidden}>{t('unreadMessages', { count: unread })}</span>
            </span>
          )}
        </span>
        <span className={classes.marks}>
          <ChannelMark channel={channel} />
          <HandlerMark handler={conversation.handler} />
          {conversation.status === 'snoozed' && <StateMark of={conversation} />}
        </span>
      </button>
    </div>
  );
}

/** The last message, with a prefix if it is not from the contact. */
function saying(message: Message, me: string): string {
  const said = wordsOf(message).replaceAll(/\s+/g, ' ');
  if (message.private) return t('preview.note', { text: said });
  if (message.status === 'suppressed' || message.status === 'failed')
    return t('preview.unsent', { text: said });
  return message.sender.type === 'user' && message.sender.id === me ? t('preview.you', { text: said }) : said;
}
