import { Button, MultiSelect, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { Status } from '../components/status';
import { foundContacts } from '../contacts/found';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { nameOf, useContacts } from '../inbox/people';
import { reasonOf } from '../inbox/told';
import { type Message, toneOf } from '../sandbox/messages';
import { useTest } from './api';
import classes from './broadcasts.module.css';
import { useKeyOf } from './use-key';

const t = texts('broadcasts');
const inbox = texts('inbox');

/** The most contacts of one test. */
const MOST = 5;

/** Sends the saved message to a few contacts, as ordinary messages. */
export function TestCard({ id, version, dirty }: { id: string; version: number; dirty: boolean }) {
  const { workspace } = useWhere();
  const [chosen, setChosen] = useState<string[]>([]);
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), 250);
  const test = useTest(workspace.id, id);
  const keyOf = useKeyOf();
  const [round, setRound] = useState(0);
  const [isOpened, setOpened] = useState(false);
  const found = useQuery({ ...foundContacts(workspace.id, settled), enabled: isOpened });
  const contact = useContacts(workspace.id, chosen);
  const names = new Map([
    ...chosen.map((it) => [it, nameOf(contact(it), it)] as const),
    ...(found.data ?? []).map((it) => [it.id, nameOf(it, it.id)] as const),
  ]);
  const send = () =>
    test.mutate(
      { contacts: chosen, key: keyOf([chosen, version, round]) },
      { onSuccess: () => setRound((it) => it + 1) },
    );
  return (
    <section className={classes.card} aria-labelledby="test">
      <Title order={2} id="test">
        {t('test')}
      </Title>
      <p className={classes.hint}>{t('testHint')}</p>
      <MultiSelect
        aria-label={t('contacts')}
        placeholder={chosen.length < MOST ? t('testPlaceholder') : undefined}
        searchable
        maxValues={MOST}
        hidePickedOptions
        data={[...names].map(([value, label]) => ({ value, label }))}
        // The API has filtered the options.
        filter={({ options }) => options}
        nothingFoundMessage={found.isSuccess ? t('noContact') : undefined}
        onDropdownOpen={() => setOpened(true)}
        value={chosen}
        searchValue={text}
        onSearchChange={setText}
        onChange={(next) => {
          setChosen(next);
          test.reset();
        }}
      />
      <Button
        mt="sm"
        variant="default"
        loading={test.isPending}
        disabled={chosen.length === 0 || dirty}
        onClick={send}
      >
        {t('testVerb')}
      </Button>
      {dirty && chosen.length > 0 && <p className={classes.hint}>{t('saveFirst')}</p>}
      {test.error && (
        <div className={classes.gap}>
          <Failure error={test.error} retry={send} />
        </div>
      )}
      {test.data && (
        <div role="status">
          <ul className={classes.tested}>
            {test.data.messages.map((it) => (
              <li key={it.id}>
                {it.conversation_id ? (
                  <Link to="/inbox/{-$conversation}" params={{ conversation: it.conversation_id }}>
                    {names.get(it.contact_id)}
                  </Link>
                ) : (
                  <span>{names.get(it.contact_id)}</span>
                )}
                <Status tone={toneOf(it.status)}>{inbox(`statuses.${it.status}`)}</Status>
                {it.error && <span className="dimmed">{whyOf(it)}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function whyOf({ status, error }: Message): string {
  if (!error) return '';
  return status === 'suppressed' ? reasonOf(error.code) : sentence(errorMessage(error));
}
