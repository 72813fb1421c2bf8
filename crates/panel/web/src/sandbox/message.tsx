import { Drawer, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { Code } from '../components/code';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Status } from '../components/status';
import { en } from '../i18n/en';
import { type Message, senderOf, toneOf, wordsOf } from './messages';
import classes from './outbox.module.css';
import { absolute, clock } from './times';

const words = en.sandbox;

interface Props {
  opened: boolean;
  /** Absent where it is not among those that are loaded. */
  message: Message | undefined;
  /** What a contact is called. */
  to: (contact: string) => string | undefined;
  onClose: () => void;
}

/** One captured message: all that is known of it. */
export function MessageDrawer({ opened, message, to, onClose }: Props) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={words.message}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      {message ? (
        <>
          <p className={classes.words}>{wordsOf(message)}</p>
          <Facts message={message} name={to(message.contact_id)} />
          <Title order={3} size="sm" mt="lg" mb="xs">
            {words.asJson}
          </Title>
          <Code text={JSON.stringify(message, null, 2)} what={words.theJson} />
        </>
      ) : (
        <Text c="dimmed">{words.gone}</Text>
      )}
    </Drawer>
  );
}

function Facts({ message, name }: { message: Message; name: string | undefined }) {
  const { workspace } = useWhere();
  const object = (id: string, label: React.ReactNode) => (
    <Link to="/objects/$id" params={{ id }} search={{ ws: workspace.id }}>
      {label}
    </Link>
  );
  const rows: [string, React.ReactNode][] = [
    [
      words.status,
      <Status key="status" tone={toneOf(message.status)}>
        {message.status}
      </Status>,
    ],
  ];
  if (message.error) rows.push([words.why, sentence(message.error.message)]);
  rows.push(
    [words.to, object(message.contact_id, name ?? <code>{message.contact_id}</code>)],
    [
      words.conversation,
      message.conversation_id
        ? object(message.conversation_id, words.openConversation)
        : words.noConversation,
    ],
    [words.sender, senderOf(message)],
    [words.time, absolute(message.created_at)],
    [
      words.history,
      <ul key="history" className={classes.history}>
        {message.status_history.map((it) => (
          <li key={it.status}>
            <span className="figures">{clock(it.at)}</span> {it.status}
          </li>
        ))}
      </ul>,
    ],
    [words.id, <Id key="id" id={message.id} />],
  );
  return <Details rows={rows} />;
}
