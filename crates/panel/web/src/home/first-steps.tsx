import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Curl } from '../components/code';
import { Failure } from '../components/states';
import { Status } from '../components/status';
import { timeOfDay } from '../components/time';
import { en } from '../i18n/en';
import { spoke, useFirstCall, useFirstKey, usePlay, useSandboxEvents } from './api';
import classes from './first-steps.module.css';
import { Step } from './step';

const words = en.home;
/** How many events are shown of what a message caused. */
const SHOWN = 6;

/** From nothing to the first call and what a message causes. Each step ticks itself. */
export function FirstSteps({ onHide }: { onHide: () => void }) {
  const { workspace, live, sandbox } = useWhere();
  const calls = useFirstCall(workspace.id);
  const key = useFirstKey(workspace.id, words.key.name);
  const events = useSandboxEvents(sandbox?.id);
  const hasSpoken = spoke(events.data);
  const done = [calls.data?.hasKey || key.isSuccess, calls.data?.wasUsed, hasSpoken, hasSpoken];
  const current = done.findIndex((it) => !it);

  return (
    <section className={classes.steps} aria-label={words.welcome}>
      <div className={classes.head}>
        <div>
          <h2>{words.welcome}</h2>
          <p className="dimmed">{words.welcomeHint}</p>
        </div>
        <Button variant="subtle" color="gray" onClick={onHide}>
          {words.hide}
        </Button>
      </div>
      <ol className={classes.list}>
        <Step at={1} title={words.key.title} done={done[0]} current={current === 0}>
          <p>{key.data ? words.key.made : words.key.text}</p>
          {!key.data && (
            <Button
              variant={done[0] ? 'default' : 'filled'}
              loading={key.isPending}
              onClick={() => key.mutate()}
            >
              {done[0] ? words.key.again : words.key.verb}
            </Button>
          )}
          {key.error && <Failure error={key.error} />}
        </Step>
        <Step at={2} title={words.call.title} done={done[1]} current={current === 1}>
          <p>{words.call.text}</p>
          <Curl call={{ path: '/api/v1/me', credential: key.data?.key ?? '$TIDINGS_KEY' }} />
          <p className={classes.seen} role="status">
            {done[1] ? (
              <>
                <Status tone="ok">{words.call.seen}</Status>
                <Link to="/developers/log" search={{ last: 'P1D' }}>
                  {words.call.showLog}
                </Link>
              </>
            ) : (
              <span className="dimmed">{words.call.waiting}</span>
            )}
          </p>
        </Step>
        <Step at={3} title={words.play.title} done={done[2]} current={current === 2}>
          <Play live={live.id} hasSandbox={sandbox !== undefined} />
        </Step>
        <Step at={4} title={words.caused.title} done={done[3]} current={current === 3}>
          <p>{words.caused.text}</p>
          {hasSpoken ? (
            <>
              <ul className={classes.events}>
                {events.data?.slice(0, SHOWN).map((event) => (
                  <li key={event.id}>
                    <time dateTime={event.timestamp} className="mono-small dimmed">
                      {timeOfDay(event.timestamp)}
                    </time>
                    <code>{event.type}</code>
                  </li>
                ))}
              </ul>
              <Button component={Link} to="/developers/sandbox" variant="default">
                {words.caused.open}
              </Button>
            </>
          ) : (
            <p className="dimmed">{words.caused.waiting}</p>
          )}
        </Step>
      </ol>
    </section>
  );
}

function Play({ live, hasSandbox }: { live: string; hasSandbox: boolean }) {
  const [text, setText] = useState(words.play.hello);
  const play = usePlay(live, hasSandbox);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        play.mutate(text);
      }}
    >
      <p>{hasSandbox ? words.play.text : words.play.textNew}</p>
      <div className={classes.say}>
        <TextInput
          aria-label={words.play.say}
          value={text}
          maxLength={4096}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={play.isPending} disabled={!text.trim()}>
          {hasSandbox ? words.play.verb : words.play.verbNew}
        </Button>
      </div>
      {play.error && <Failure error={play.error} />}
    </form>
  );
}
