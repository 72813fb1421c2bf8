import { Drawer, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { Code } from '../components/code';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Status } from '../components/status';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { type Message, senderOf, statusOf, toneOf, wordsOf } from './messages';
import classes from './outbox.module.css';
import { absolute, clock } from './times';

const t = texts('sandbox');

interface Props {
  opened: boolean;
  /** Absent if the message is not among the loaded ones. */
  message: Message | undefined;
  to: (contact: string) => string | undefined;
  onClose: () => void;
}

/** A captured message with all its properties. */
export function MessageDrawer({ opened, message, to, onClose }: Props) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('message')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {message ? (
        <>
          <p className={classes.words}>{wordsOf(message)}</p>
          <Facts message={message} name={to(message.contact_id)} />
          <Title order={3} size="sm" mt="lg" mb="xs">
            {t('asJson')}
          </Title>
          <Code text={JSON.stringify(message, null, 2)} what={t('theJson')} />
        </>
      ) : (
        <Text c="dimmed">{t('gone')}</Text>
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
      t('status'),
      <Status key="status" tone={toneOf(message.status)}>
        {statusOf(message.status)}
      </Status>,
    ],
  ];
  if (message.error) rows.push([t('reason'), sentence(errorMessage(message.error))]);
  rows.push(
    [t('to'), object(message.contact_id, name ?? <code>{message.contact_id}</code>)],
    [
      t('conversation'),
      message.conversation_id ? object(message.conversation_id, t('openConversation')) : t('noConversation'),
    ],
    [t('sender'), senderOf(message)],
    [t('time'), absolute(message.created_at)],
    [
      t('history'),
      <ul key="history" className={classes.history}>
        {message.status_history.map((it) => (
          <li key={it.status}>
            <span className="figures">{clock(it.at)}</span> {statusOf(it.status)}
          </li>
        ))}
      </ul>,
    ],
    [t('id'), <Id key="id" id={message.id} />],
  );
  return <Details rows={rows} />;
}
