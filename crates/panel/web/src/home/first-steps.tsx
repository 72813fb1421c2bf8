import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Curl } from '../components/code';
import { Failure } from '../components/states';
import { Status } from '../components/status';
import { SubmitForm } from '../components/submit-form';
import { timeOfDay } from '../components/time';
import { texts } from '../i18n/texts';
import { spoke, useFirstCall, useFirstKey, usePlay, useSandboxEvents } from './api';
import classes from './first-steps.module.css';
import { Step } from './step';

const t = texts('home');

/** The most events of a message that are shown. */
const SHOWN = 6;

/** The steps to the first API call and the first message. Each is marked as done automatically. */
export function FirstSteps({ onHide }: { onHide: () => void }) {
  const { workspace, live, sandbox } = useWhere();
  const calls = useFirstCall(workspace.id);
  const key = useFirstKey(workspace.id, t('key.name'));
  const events = useSandboxEvents(sandbox?.id);
  const hasSpoken = spoke(events.data);
  const done = [calls.data?.hasKey || key.isSuccess, calls.data?.wasUsed, hasSpoken, hasSpoken];
  const current = done.findIndex((it) => !it);

  return (
    <section className={classes.steps} aria-label={t('welcome')}>
      <div className={classes.head}>
        <div>
          <h2>{t('welcome')}</h2>
          <p className="dimmed">{t('welcomeHint')}</p>
        </div>
        <Button variant="subtle" color="gray" onClick={onHide}>
          {t('hide')}
        </Button>
      </div>
      <ol className={classes.list}>
        <Step at={1} title={t('key.title')} done={done[0]} current={current === 0}>
          <p>{key.data ? t('key.created') : t('key.text')}</p>
          {!key.data && (
            <Button
              variant={done[0] ? 'default' : 'filled'}
              loading={key.isPending}
              onClick={() => key.mutate()}
            >
              {done[0] ? t('key.again') : t('key.verb')}
            </Button>
          )}
          {key.error && <Failure error={key.error} />}
        </Step>
        <Step at={2} title={t('call.title')} done={done[1]} current={current === 1}>
          <p>{t('call.text')}</p>
          <Curl call={{ path: '/api/v1/me', credential: key.data?.key ?? '$TIDINGS_KEY' }} />
          <p className={classes.seen} role="status">
            {done[1] ? (
              <>
                <Status tone="ok">{t('call.seen')}</Status>
                <Link to="/developers/log" search={{ last: 'P1D' }}>
                  {t('call.showLog')}
                </Link>
              </>
            ) : (
              <span className="dimmed">{t('call.waiting')}</span>
            )}
          </p>
        </Step>
        <Step at={3} title={t('simulate.title')} done={done[2]} current={current === 2}>
          <Play live={live.id} hasSandbox={sandbox !== undefined} />
        </Step>
        <Step at={4} title={t('events.title')} done={done[3]} current={current === 3}>
          <p>{t('events.text')}</p>
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
                {t('events.open')}
              </Button>
            </>
          ) : (
            <p className="dimmed">{t('events.waiting')}</p>
          )}
        </Step>
      </ol>
    </section>
  );
}

function Play({ live, hasSandbox }: { live: string; hasSandbox: boolean }) {
  const [text, setText] = useState(t('simulate.hello'));
  const play = usePlay(live, hasSandbox);
  return (
    <SubmitForm onSubmit={() => play.mutate(text)}>
      <p>{hasSandbox ? t('simulate.text') : t('simulate.textNew')}</p>
      <div className={classes.say}>
        <TextInput
          aria-label={t('contactMessage')}
          value={text}
          maxLength={4096}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={play.isPending} disabled={!text.trim()}>
          {hasSandbox ? t('simulate.verb') : t('simulate.verbNew')}
        </Button>
      </div>
      {play.error && <Failure error={play.error} />}
    </SubmitForm>
  );
}
