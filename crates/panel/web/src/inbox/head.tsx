import { ActionIcon, Button, Group, Menu, Text, Tooltip } from '@mantine/core';
import { IconAddressBook, IconArrowLeft, IconClock, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useAccount } from '../app/use-session';
import { texts } from '../i18n/texts';
import type { Action } from './actions';
import classes from './conversation.module.css';
import { Span, StateMark } from './marks';
import { useColleagues } from './names';
import { SnoozeUntil } from './snooze';
import { snoozeChoices, until } from './times';
import type { Conversation } from './views';

const t = texts('inbox');

interface Props {
  conversation: Conversation;
  name: string;
  pending: boolean;
  act: (action: Action) => void;
  back: () => void;
  /** Shows the contact if there is no room beside the thread. */
  showContact: () => void;
}

/** The contact's name, the status of the conversation, and its actions. */
export function ConversationHead({ conversation, name, pending, act, back, showContact }: Props) {
  const { role } = useWhere();
  const { waiting_since: waiting, status } = conversation;
  return (
    <header className={classes.head}>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.back}
        aria-label={t('back')}
        onClick={back}
      >
        <IconArrowLeft size={18} />
      </ActionIcon>
      <div className={classes.who}>
        <Text component="h2" className={classes.name} title={name}>
          {name}
        </Text>
        <StateMark of={conversation} />
        {waiting && (
          <span className={classes.waiting}>
            <Span since={waiting} say={(span) => t('waiting', { span })} />
          </span>
        )}
      </div>
      <Group gap={6} wrap="nowrap" className={classes.actions}>
        {mayWrite(role) && (
          <>
            <Assign conversation={conversation} act={act} />
            {status !== 'resolved' && <Snooze act={act} />}
            {status === 'open' || status === 'pending' ? (
              <Button size="xs" loading={pending} onClick={() => act({ do: 'resolve' })}>
                {t('resolve')}
              </Button>
            ) : (
              <Button size="xs" loading={pending} onClick={() => act({ do: 'reopen' })}>
                {t('reopen')}
              </Button>
            )}
          </>
        )}
        <Tooltip label={t('contact')}>
          <ActionIcon
            variant="default"
            size={30}
            className={classes.toContact}
            aria-label={t('contact')}
            onClick={showContact}
          >
            <IconAddressBook size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </header>
  );
}

function Assign({ conversation, act }: Pick<Props, 'conversation' | 'act'>) {
  const { user } = useAccount();
  const { others, nameOf } = useColleagues();
  const { assignee_id: assignee } = conversation;
  const label = assignee ? t('assignedTo', { name: nameOf(assignee) }) : t('unassigned');
  const item = (id: string | null, text: string) => (
    <Menu.RadioItem
      key={id ?? ''}
      value={id ?? ''}
      checked={id === assignee}
      closeMenuOnClick
      onChange={() => id !== assignee && act({ do: 'assign', to: id })}
    >
      {text}
    </Menu.RadioItem>
  );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconUser size={14} aria-hidden />}
          aria-label={label}
          className={classes.short}
        >
          <span className={classes.word}>{assignee ? nameOf(assignee) : t('unassigned')}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('assignee')}</Menu.Label>
        {item(user.id, t('me', { name: user.name ?? user.email }))}
        {others.map((it) => item(it.id, it.name))}
        {assignee &&
          assignee !== user.id &&
          !others.some((it) => it.id === assignee) &&
          item(assignee, nameOf(assignee))}
        {item(null, t('unassigned'))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Snooze({ act }: Pick<Props, 'act'>) {
  const [asking, setAsking] = useState(false);
  const [now, setNow] = useState(() => new Date());
  return (
    <>
      <Menu position="bottom-end" onOpen={() => setNow(new Date())}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconClock size={14} aria-hidden />}
            aria-label={t('snooze')}
            className={classes.short}
          >
            <span className={classes.word}>{t('snooze')}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {snoozeChoices(now).map(({ key, at }) => (
            <Menu.Item
              key={key}
              rightSection={<span className="dimmed figures">{until(at.toISOString(), now.getTime())}</span>}
              onClick={() => act({ do: 'snooze', until: at.toISOString() })}
            >
              {t(`snoozes.${key}`)}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setAsking(true)}>{t('snoozeTime')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SnoozeUntil
        opened={asking}
        onClose={() => setAsking(false)}
        onChoose={(at) => act({ do: 'snooze', until: at })}
      />
    </>
  );
}
