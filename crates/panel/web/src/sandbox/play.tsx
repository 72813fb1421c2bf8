import { TextInput, Title } from '@mantine/core';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { ChatComposer } from '../components/chat-composer';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { LAST, useConversation, usePlay, useThread } from './api';
import { Chat } from './chat';
import { type Message, merge } from './messages';
import classes from './play.module.css';

const t = texts('sandbox');

/** The initial external ID. */
const EXAMPLE = 'ada';

/** Simulates messages from a contact and shows the conversation. */
export function Play({ channel }: { channel: string }) {
  const { live, workspace: sandbox } = useWhere();
  const [contact, setContact] = useLocalStorage({
    key: `tidings-played-${sandbox.id}`,
    defaultValue: EXAMPLE,
    getInitialValueInEffect: false,
  });
  const [text, setText] = useState('');
  const [played, setPlayed] = useState<Message[]>([]);
  const named = contact.trim();
  const [settled] = useDebouncedValue(named, 400);
  const conversation = useConversation(sandbox.id, settled, channel);
  const thread = useThread(sandbox.id, conversation.data);
  const play = usePlay(live.id, sandbox.id, channel);

  const say = (said: string) => {
    if (!named || !said.trim() || play.isPending) return;
    setText('');
    play.mutate(
      { contact: named, text: said },
      {
        onSuccess: (message) => setPlayed((before) => [...before, message]),
        // Restore the text, unless the user entered another one.
        onError: () => setText((typed) => typed || said),
      },
    );
  };
  const faults = faultsByField(play.error);
  const failure =
    play.error && Object.keys(faults).length === 0 ? play.error : (conversation.error ?? thread.error);
  const mine = played.filter((it) => it.conversation_id === conversation.data);
  return (
    <section className={classes.phone} aria-labelledby="play">
      <div className={classes.head}>
        <div className={classes.title}>
          <Title order={2} id="play">
            {t('play')}
          </Title>
          {conversation.data && (
            <Link to="/objects/$id" params={{ id: conversation.data }} search={{ ws: sandbox.id }}>
              {t('openConversation')}
            </Link>
          )}
        </div>
        <TextInput
          label={t('contact')}
          description={t('contactHint')}
          placeholder={EXAMPLE}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          value={contact}
          error={faults.contact}
          onChange={(event) => {
            setContact(event.currentTarget.value);
            if (!play.isPending) play.reset();
          }}
        />
      </div>
      <Chat
        key={settled}
        waiting={conversation.isLoading || thread.isLoading}
        messages={merge(thread.data ?? [], mine)}
        more={(thread.data?.length ?? 0) >= LAST}
        pending={play.isPending && play.variables.contact === settled ? play.variables.text : undefined}
        empty={named ? t('chatEmpty') : t('chatUnnamed')}
        choose={say}
      />
      {failure && (
        <div className={classes.failure}>
          <Failure error={failure} />
        </div>
      )}
      <ChatComposer
        className={classes.composer}
        text={text}
        setText={setText}
        placeholder={named ? t('textPlaceholder', { contact: named }) : t('textPlaceholderUnnamed')}
        maxRows={5}
        error={faults.text}
        disabled={!named}
        send={() => say(text)}
      />
    </section>
  );
}
