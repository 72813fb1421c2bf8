import { ActionIcon, Button, Title } from '@mantine/core';
import { IconArrowBackUp, IconPlayerSkipBack, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { ChatComposer } from '../components/chat-composer';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { AdvanceButton, EventButton, ReferralButton } from './entries';
import type { Line } from './lines';
import { choicesOf } from './lines';
import classes from './phone.module.css';
import { begunAgain, continued, type Entry, MOST, type Story, takenBack } from './story';
import { Thread } from './thread';

const t = texts('simulation');

interface Props {
  story: Story;
  setStory: (story: Story) => void;
  name: string;
  lines: Line[];
  playing: boolean;
  error: unknown;
  /** The index of the selected moment. */
  moment: number | undefined;
  onMoment: (moment: number) => void;
  onWho: () => void;
  /** The reference of a start link, which the user can change. */
  reference?: string | undefined;
  /** A button that is shown before the simulation has started. */
  start?: React.ReactNode;
}

/** The simulation as the contact sees it. After each new message it is simulated again from the beginning. */
export function Phone(props: Props) {
  const { story, setStory, name, lines, playing, error, moment, onMoment, onWho, start, reference } = props;
  const [text, setText] = useState('');
  const entries = story.script?.length ?? 0;
  const full = entries >= MOST;
  const add = (entry: Entry) => !full && setStory(continued(story, entry));
  const say = (said: string) => {
    if (!said.trim() || full) return;
    setText('');
    add({ message: said });
  };
  return (
    <section className={classes.phone} aria-labelledby="simulation">
      <div className={classes.head}>
        <Title order={2} id="simulation">
          {t('title')}
        </Title>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconUser size={14} />}
          className={classes.who}
          aria-label={t('whoNamed', { name })}
          onClick={onWho}
        >
          {name}
        </Button>
      </div>
      <Thread
        lines={lines}
        zone={story.contact?.time_zone}
        playing={playing}
        choices={playing ? [] : choicesOf(lines)}
        choose={say}
        moment={moment}
        onMoment={onMoment}
        start={start}
      />
      {error != null && (
        <div className={classes.failure}>
          <Failure error={error} />
        </div>
      )}
      <div className={classes.time}>
        <Button size="xs" variant="default" onClick={() => add({ advance: 'PT1H' })} disabled={full}>
          {t('hour')}
        </Button>
        <Button size="xs" variant="default" onClick={() => add({ advance: 'P1D' })} disabled={full}>
          {t('day')}
        </Button>
        <AdvanceButton add={add} disabled={full} />
        <EventButton add={add} disabled={full} />
        <ReferralButton add={add} disabled={full} initial={reference} />
        <span className={classes.back}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('back')}
            title={t('back')}
            disabled={entries === 0}
            onClick={() => setStory(takenBack(story))}
          >
            <IconArrowBackUp size={18} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('again')}
            title={t('again')}
            disabled={entries === 0}
            onClick={() => setStory(begunAgain(story))}
          >
            <IconPlayerSkipBack size={18} />
          </ActionIcon>
        </span>
      </div>
      <ChatComposer
        className={classes.composer}
        text={text}
        setText={setText}
        placeholder={t('placeholder', { name })}
        maxRows={4}
        error={full ? t('full') : undefined}
        disabled={full}
        send={() => say(text)}
      />
    </section>
  );
}
