import { Button, Popover, Textarea, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { SubmitForm } from '../components/submit-form';
import { DurationInput } from '../conditions/duration-input';
import { texts } from '../i18n/texts';
import { objectOf } from './json';
import classes from './phone.module.css';
import type { Entry } from './story';

const t = texts('simulation');

/** The maximum length of a reference, in characters. */
const MAX_REF = 255;

interface Props {
  add: (entry: Entry) => void;
  disabled: boolean;
}

/** Adds the passing of a duration. */
export function AdvanceButton({ add, disabled }: Props) {
  const [opened, open] = useState(false);
  const [span, setSpan] = useState('P3D');
  return (
    <Asked label={t('advance')} title={t('advanceTitle')} opened={opened} open={open} disabled={disabled}>
      <SubmitForm
        className={classes.form}
        onSubmit={() => {
          open(false);
          add({ advance: span });
        }}
      >
        <DurationInput value={span} onChange={setSpan} />
        <Button type="submit" disabled={span === ''}>
          {t('advanceVerb')}
        </Button>
      </SubmitForm>
    </Asked>
  );
}

/** Adds a custom event. */
export function EventButton({ add, disabled }: Props) {
  const [opened, open] = useState(false);
  const [name, setName] = useState('');
  const [data, setData] = useState('{}');
  const meant = objectOf(data);
  return (
    <Asked label={t('event')} title={t('eventTitle')} opened={opened} open={open} disabled={disabled}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!meant) return;
          open(false);
          add({ event: name.trim(), ...(Object.keys(meant).length > 0 && { data: meant }) });
        }}
      >
        <TextInput
          label={t('name')}
          placeholder={t('eventPlaceholder')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={t('eventData')}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          value={data}
          error={meant ? undefined : t('notObject')}
          onChange={(event) => setData(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!name.trim() || !meant}>
          {t('eventVerb')}
        </Button>
      </form>
    </Asked>
  );
}

interface ReferralProps extends Props {
  /** The reference until the user enters another one. */
  initial: string | undefined;
}

/** Adds a message that the contact writes through a start link or an advertisement. */
export function ReferralButton({ add, disabled, initial = '' }: ReferralProps) {
  const [opened, open] = useState(false);
  const [typed, setTyped] = useState<string>();
  const ref = typed ?? initial;
  const [message, setMessage] = useState(() => t('referralMessage'));
  const isComplete = ref.trim() !== '' && message.trim() !== '';
  return (
    <Asked label={t('referral')} title={t('referralTitle')} opened={opened} open={open} disabled={disabled}>
      <SubmitForm
        className={classes.form}
        onSubmit={() => {
          if (!isComplete) return;
          open(false);
          add({ message, ref: ref.trim() });
        }}
      >
        <TextInput
          label={t('ref')}
          description={t('refHint')}
          placeholder={t('refPlaceholder')}
          maxLength={MAX_REF}
          autoComplete="off"
          spellCheck={false}
          value={ref}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <TextInput
          label={t('contactMessage')}
          maxLength={4096}
          autoComplete="off"
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!isComplete}>
          {t('referralVerb')}
        </Button>
      </SubmitForm>
    </Asked>
  );
}

interface AskedProps {
  label: string;
  title: string;
  opened: boolean;
  open: (opened: boolean) => void;
  disabled: boolean;
  children: React.ReactNode;
}

function Asked({ label, title, opened, open, disabled, children }: AskedProps) {
  return (
    <Popover opened={opened} onChange={open} position="top" width={260} shadow="md" trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default" disabled={disabled} onClick={() => open(!opened)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={title}>
        <Title order={3} size="sm" mb="xs">
          {title}
        </Title>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
