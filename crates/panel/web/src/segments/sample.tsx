import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Problem } from '../api/problem';
import { Failure, Waiting } from '../components/states';
import { segments as words } from '../i18n/en/segments';
import type { Contact } from './api';
import classes from './segments.module.css';
import type { Sample } from './state';

/** Some of whom the rules choose now. */
export function SampleBox({ sample }: { sample: UseQueryResult<Sample<Contact>> }) {
  const { data, error } = sample;
  // What is wrong with a rule is told at the rule.
  const wrong = error instanceof Problem && error.status === 422;
  return (
    <section className={classes.sample} aria-label={words.sample}>
      {error && !wrong ? (
        <Failure error={error} retry={() => void sample.refetch()} />
      ) : !data || wrong ? (
        wrong ? (
          <Text c="dimmed">{words.noSample}</Text>
        ) : (
          <Waiting lines={3} />
        )
      ) : (
        <>
          <Text fw={600} role="status">
            {words.chooses(data.count, data.more)}
          </Text>
          {data.shown.length > 0 && (
            <ul className={classes.people}>
              {data.shown.map((it) => (
                <li key={it.id}>
                  <Link to="/contacts/$id" params={{ id: it.id }}>
                    {it.name || it.email || it.phone || it.external_id || words.nameless}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}
