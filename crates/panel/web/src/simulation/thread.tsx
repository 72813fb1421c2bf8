import { useEffect, useRef } from 'react';
import { QuickReplies } from '../components/chat-composer';
import { texts } from '../i18n/texts';
import { Attachments } from '../inbox/files/attachments';
import type { Line } from './lines';
import classes from './phone.module.css';
import { clockIn } from './phrases';

const t = texts('simulation');

interface Props {
  lines: Line[];
  /** The time zone of the displayed times. */
  zone: string | undefined;
  playing: boolean;
  choices: string[];
  choose: (answer: string) => void;
  moment: number | undefined;
  onMoment: (moment: number) => void;
  start?: React.ReactNode;
}

/** The simulated conversation. A line selects its node. */
export function Thread({ lines, zone, playing, choices, choose, moment, onMoment, start }: Props) {
  const log = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line moves it
  useEffect(() => {
    log.current?.scrollTo?.(0, log.current.scrollHeight);
  }, [lines.length]);
  return (
    <div
      ref={log}
      className={classes.log}
      role="log"
      aria-label={t('chat')}
      aria-busy={playing}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
      tabIndex={0}
    >
      {lines.length === 0 && (
        <div className={classes.empty}>
          <p>{t('empty')}</p>
          {start}
        </div>
      )}
      {lines.map((line, at) => {
        const clock = clockIn(zone, line.at);
        const before = lines[at - 1];
        const body = line.kind === 'fact' ? line.text : <span className={classes.bubble}>{line.text}</span>;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: all lines are replaced together
          <div key={at} className={classes.line} data-kind={line.kind} data-bad={line.bad || undefined}>
            {(!before || clockIn(zone, before.at) !== clock) && (
              <time className={classes.clock} dateTime={line.at}>
                {clock}
              </time>
            )}
            {line.of === undefined ? (
              <span className={classes.words}>{body}</span>
            ) : (
              <button
                type="button"
                className={classes.words}
                aria-pressed={line.moment === moment}
                onClick={() => onMoment(line.moment)}
              >
                {body}
              </button>
            )}
            {line.files && <Attachments of={line.files} />}
            {line.replaced && <span className={classes.of}>{line.replaced}</span>}
            {line.kind === 'note' && <span className={classes.of}>{t('noteForMembers')}</span>}
          </div>
        );
      })}
      <QuickReplies choices={choices} choose={choose} />
    </div>
  );
}
