import { Button, Title, VisuallyHidden } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { Failure } from '../components/states';
import { useTitle } from '../components/title';
import { toasts } from '../components/toasts';
import { texts } from '../i18n/texts';
import { OFTEN, useLiveConversations } from '../live/use-live';
import { type Action, useAct } from './actions';
import { OpenConversation } from './conversation';
import { drafts } from './drafts';
import { KeyHelp } from './key-help';
import { useKeys } from './keys';
import { ConversationList } from './list';
import { useNextAfterResolve } from './next';
import classes from './page.module.css';
import { inverseOf, reportOf } from './undo';
import { useUnread } from './unread';
import type { Conversation, InboxSearch } from './views';

const t = texts('inbox');

/** The inbox with the conversation in the address. */
export function InboxPage() {
  const { conversation } = useParams({ strict: false }) as { conversation?: string };
  return <Inbox open={conversation} />;
}

/** People › Inbox: the list, the thread and the contact, in the full window. */
export function Inbox({ open }: { open: string | undefined }) {
  const { workspace } = useWhere();
  const [search, show] = useSearchState<InboxSearch>();
  const navigate = useNavigate();
  const [focus, setFocus] = useState(0);
  const [helping, setHelping] = useState(false);
  const { act, acting, failed, again } = useActions(workspace.id);
  useLiveConversations(workspace.id, OFTEN);
  useKeys({ help: () => setHelping(true), undo: () => toasts.undo() });
  const unread = useUnread(workspace.id);
  useTitle(unread > 0 ? t('titleUnread', { count: unread, title: t('title') }) : t('title'));

  const to = (conversation: string | undefined) =>
    void navigate({
      to: '/inbox/{-$conversation}',
      params: { conversation },
      search: (it: object) => it,
      resetScroll: false,
    });
  useNextAfterResolve(search, open, (conversation) => {
    // If the user is in the composer, the next composer gets the focus. Otherwise it does not, so letters
    // stay shortcuts.
    setFocus(document.activeElement?.closest('form') ? 1 : 0);
    to(conversation);
  });
  return (
    <div className={classes.inbox} data-open={open ? true : undefined}>
      <VisuallyHidden>
        <Title order={1}>{t('title')}</Title>
      </VisuallyHidden>
      <ConversationList
        search={search}
        open={open}
        show={show}
        go={(conversation) => {
          setFocus(0);
          if (conversation !== open) to(conversation);
        }}
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
            write={(as) => {
              drafts.change(open, { as });
              setFocus((it) => it + 1);
            }}
            back={() => to(undefined)}
          />
        ) : (
          <div className={classes.choose}>
            <p>{t('choose')}</p>
            <p className="dimmed">{t('chooseHint')}</p>
            <Button variant="subtle" size="compact-sm" onClick={() => setHelping(true)}>
              {t('keysTitle')}
            </Button>
          </div>
        )}
      </div>
      <KeyHelp opened={helping} onClose={() => setHelping(false)} />
    </div>
  );
}

/** The page already shows the error of the last action. */
const shownAsFailed = () => undefined;

/** The actions on the open conversation. A toast reports each action and offers to undo it. */
function useActions(ws: string) {
  const doing = useAct(ws);
  const act = (on: Conversation, action: Action, name = '') =>
    void doing.mutateAsync({ on, action }).then((now) => report(on, now, action, name), shownAsFailed);
  const report = (before: Conversation, now: Conversation, action: Action, name: string) => {
    const text = reportOf(action, name);
    if (!text) return;
    const inverse = inverseOf(before, action, Date.now());
    const revert = () =>
      inverse &&
      void doing
        .mutateAsync({ on: now, action: inverse })
        .then(() => toasts.show({ text: t('done.undone') }), shownAsFailed);
    toasts.show({ text, undo: inverse && revert });
  };
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
