import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useWhere } from '../app/here';
import { useNow } from '../components/clock';
import { Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import { type Message, merge } from '../sandbox/messages';
import { Answered } from './answered';
import { Bubble, Resolved, Unsent } from './bubble';
import { type Item, itemsOf } from './items';
import { useThread } from './messages-api';
import { useColleagues, useNames } from './names';
import { ReplyButton } from './reply-button';
import { Resend } from './resend';
import { type Resolve, useResolves } from './resolves';
import classes from './thread.module.css';
import { dayName } from './times';
import { senderOf } from './told';
import { usePlace } from './use-place';
import type { Conversation } from './views';

const t = texts('inbox');

interface Props {
  conversation: Conversation;
  /** Increases when the user sent a message. The thread then scrolls to its end. */
  written: number;
  /** Starts a reply that answers a message. */
  onReply: (message: Message) => void;
}

/** The messages of a conversation, newest at the bottom. */
export function Thread({ conversation, written, onReply }: Props) {
  const { workspace } = useWhere();
  const thread = useThread(workspace.id, conversation.id);
  const messages = merge(thread.data?.pages.flatMap((page) => page.data) ?? []);
  const resolves = useResolves(workspace.id, conversation);
  const last = `${messages.at(-1)?.id} ${resolves.length}`;
  const { log, below, toEnd } = usePlace(messages[0]?.id, last, messages.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a sent message moves it
  useEffect(() => toEnd(), [written]);
  return (
    <div className={classes.pane}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <div ref={log} className={classes.log} role="log" aria-label={t('messages')} tabIndex={0}>
        {thread.error && !thread.data ? (
          <div className={classes.wait}>
            <Failure error={thread.error} retry={() => void thread.refetch()} />
          </div>
        ) : thread.isPending ? (
          <div className={classes.wait}>
            <Waiting />
          </div>
        ) : (
          <>
            {thread.hasNextPage ? (
              <Button
                className={classes.earlier}
                variant="subtle"
                size="xs"
                loading={thread.isFetchingNextPage}
                onClick={() => void thread.fetchNextPage()}
              >
                {t('earlier')}
              </Button>
            ) : (
              <div className={classes.hint}>{t('beginning')}</div>
            )}
            <Items conversation={conversation} messages={messages} resolves={resolves} onReply={onReply} />
          </>
        )}
      </div>
      {below > 0 && (
        <Button
          className={classes.below}
          size="xs"
          radius="xl"
          rightSection={<IconArrowDown size={14} aria-hidden />}
          onClick={toEnd}
        >
          {t('newBelow', { count: below })}
        </Button>
      )}
    </div>
  );
}

interface ItemsProps {
  conversation: Conversation;
  messages: Message[];
  resolves: Resolve[];
  onReply: (message: Message) => void;
}

function Items({ conversation, messages, resolves, onReply }: ItemsProps) {
  const { workspace } = useWhere();
  const named = useNames(workspace.id);
  const { nameOf } = useColleagues();
  const now = useNow();
  const draw = (item: Item) => {
    if (item.kind === 'day') {
      return (
        <div key={item.key} className={classes.event}>
          <span>{dayName(item.at, now)}</span>
        </div>
      );
    }
    if (item.kind === 'subject') {
      return (
        <div key={item.key} className={classes.event}>
          <span>{item.subject ? t('subject', { subject: item.subject }) : t('noSubject')}</span>
        </div>
      );
    }
    if (item.kind === 'resolved') {
      const { at, actor } = item.resolve;
      return <Resolved key={item.key} at={at} who={actor && senderOf({ sender: actor }, nameOf, named)} />;
    }
    const who = senderOf(item.message, nameOf, named);
    if (item.kind === 'unsent') return <Unsent key={item.key} message={item.message} who={who} />;
    return (
      <Bubble
        key={item.key}
        message={item.message}
        last={item.last}
        who={who}
        quote={<Answered message={item.message} loaded={messages} />}
        action={<ReplyButton message={item.message} onReply={onReply} />}
      >
        <Resend conversation={conversation} message={item.message} />
      </Bubble>
    );
  };
  return <>{itemsOf(messages, resolves).map(draw)}</>;
}
