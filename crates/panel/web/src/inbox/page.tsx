import { Title, VisuallyHidden } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { useTitle } from '../components/title';
import { en } from '../i18n/en';
import { OFTEN, useLiveConversations } from '../live/use-live';
import { type Action, useAct } from './actions';
import { OpenConversation } from './conversation';
import { drafts } from './drafts';
import { ConversationList } from './list';
import classes from './page.module.css';
import { useUnread } from './unread';
import type { Conversation, InboxSearch } from './views';

const words = en.inbox;

/** Inbox: the conversation that the address names, beside those of its view. */
export function InboxPage() {
  const { conversation } = useParams({ strict: false }) as { conversation?: string };
  return <Inbox open={conversation} />;
}

/** People › Inbox: the list, the thread and the contact, as wide as the window. */
export function Inbox({ open }: { open: string | undefined }) {
  const { workspace } = useWhere();
  const search = useSearch({ strict: false }) as InboxSearch;
  const navigate = useNavigate();
  const [focus, setFocus] = useState(0);
  const { act, acting, failed, again } = useActions(workspace.id);
  useLiveConversations(workspace.id, OFTEN);
  useTitle(words.unreadTitle(useUnread(workspace.id), words.title));

  const to = (conversation: string | undefined) =>
    void navigate({
      to: '/inbox/{-$conversation}',
      params: { conversation },
      search: ((it: object) => it) as never,
      resetScroll: false,
    });
  return (
    <div className={classes.inbox} data-open={open ? true : undefined}>
      <VisuallyHidden>
        <Title order={1}>{words.title}</Title>
      </VisuallyHidden>
      <ConversationList
        search={search}
        open={open}
        show={(next) =>
          void navigate({ to: '.', search: ((it: object) => ({ ...it, ...next })) as never, replace: true })
        }
        go={(conversation, write) => {
          if (write) {
            drafts.change(conversation, { as: write });
            setFocus((it) => it + 1);
          } else setFocus(0);
          if (conversation !== open) to(conversation);
        }}
        act={act}
      />
      <div className={classes.rest} data-pane="conversation">
        {failed != null && (
          <div className={classes.failure}>
            <Failure error={failed} retry={again} />
          </div>
        )}
        {open ? (
          <OpenConversation
            key={open}
            id={open}
            focus={focus}
            pending={acting}
            act={act}
            back={() => to(undefined)}
          />
        ) : (
          <div className={classes.choose}>
            <p>{words.choose}</p>
            <p className="dimmed">{words.chooseHint}</p>
          </div>
        )}
      </div>
    </div>
  );
}

/** What is done about conversations, from the list as from the thread. */
function useActions(ws: string) {
  const doing = useAct(ws);
  const act = (on: Conversation, action: Action) => doing.mutate({ on, action });
  const told = doing.error && doing.variables.action.do !== 'read' ? doing.error : undefined;
  return {
    act,
    acting: doing.isPending && ['resolve', 'reopen'].includes(doing.variables.action.do),
    failed: told,
    again: () => {
      const last = doing.variables;
      if (last) act(last.on, last.action);
    },
  };
}
