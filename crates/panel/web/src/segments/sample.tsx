import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Problem } from '../api/problem';
import { Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import type { Contact } from './api';
import classes from './segments.module.css';
import type { Sample } from './state';

const t = texts('segments');

/** Some contacts that match the rules. */
export function SampleBox({ sample }: { sample: UseQueryResult<Sample<Contact>> }) {
  const { data, error } = sample;
  // An invalid rule has a message at the rule.
  const wrong = error instanceof Problem && error.status === 422;
  return (
    <section className={classes.sample} aria-label={t('sample')}>
      {error && !wrong ? (
        <Failure error={error} retry={() => void sample.refetch()} />
      ) : !data || wrong ? (
        wrong ? (
          <Text c="dimmed">{t('noSample')}</Text>
        ) : (
          <Waiting lines={3} />
        )
      ) : (
        <>
          <Text fw={600} role="status">
            {data.more ? t('matchesMore', { minimum: data.count }) : t('matches', { count: data.count })}
          </Text>
          {data.shown.length > 0 && (
            <ul className={classes.people}>
              {data.shown.map((it) => (
                <li key={it.id}>
                  <Link to="/contacts/$id" params={{ id: it.id }}>
                    {it.name || it.email || it.phone || it.external_id || t('nameless')}
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
