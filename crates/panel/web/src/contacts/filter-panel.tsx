import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Failure, Waiting } from '../components/states';
import { ConditionBuilder } from '../conditions/builder';
import { faultsByRule } from '../conditions/faults';
import { type Field, kindsOf } from '../conditions/fields';
import type { Condition } from '../conditions/grammar';
import { group, isReady, read, rule, rulesIn, write } from '../conditions/model';
import { useConditionFields } from '../conditions/use-fields';
import { described } from '../conditions/words';
import { texts } from '../i18n/texts';
import classes from './filters.module.css';

const t = texts('contacts');

interface Props {
  filter: Condition | undefined;
  onChange: (filter: Condition | undefined) => void;
  open: boolean;
  setOpen: (open: boolean) => void;
  error: unknown;
}

/** The condition of the list, as a sentence or in a builder. */
export function FilterPanel({ filter, onChange, open, setOpen, error }: Props) {
  const { fields, error: unknown, retry } = useConditionFields();
  if (!open && !filter) return null;
  if (!fields) return unknown ? <Failure error={unknown} retry={retry} /> : <Waiting lines={2} />;
  if (!open && filter) {
    return (
      <section className={classes.said} aria-label={t('filterLabel')}>
        <span className={classes.sentence}>{described(filter, fields)}</span>
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
          {t('edit')}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(undefined)}>
          {t('clear')}
        </Button>
        <Keep filter={filter} />
      </section>
    );
  }
  return <Rules {...{ filter, onChange, setOpen, error, fields }} />;
}

const PAUSE = 350;

function Rules({ filter, onChange, setOpen, error, fields }: Omit<Props, 'open'> & { fields: Field[] }) {
  const kinds = useMemo(() => kindsOf(fields), [fields]);
  const [root, setRoot] = useState(() => (filter ? read(filter) : group([rule()])));
  const meant = useMemo(() => write(root, kinds), [root, kinds]);
  const ready = isReady(root);
  const empty = rulesIn(root).length === 0;
  const asked = useRef(JSON.stringify(filter));

  // The builder updates the address after a pause. A change of the address, for example by a link, updates
  // the builder.
  useEffect(() => {
    const next = empty ? undefined : meant.condition;
    if ((!ready && !empty) || JSON.stringify(next) === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = JSON.stringify(next);
      onChange(next);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [meant, ready, empty, onChange]);
  const outside = JSON.stringify(filter);
  useEffect(() => {
    if (outside === asked.current) return;
    asked.current = outside;
    setRoot(outside ? read(JSON.parse(outside)) : group([rule()]));
  }, [outside]);

  return (
    <section className={classes.panel} aria-label={t('filterLabel')}>
      <ConditionBuilder
        label={t('filterLabel')}
        value={root}
        onChange={setRoot}
        fields={fields}
        faults={faultsByRule(error, meant.places, '/filter')}
      />
      <div className={classes.foot}>
        <Button variant="default" size="compact-sm" onClick={() => setOpen(false)}>
          {t('hideFilter')}
        </Button>
        {filter && (
          <Button variant="subtle" size="compact-sm" onClick={() => onChange(undefined)}>
            {t('clear')}
          </Button>
        )}
        {filter && <Keep filter={filter} />}
      </div>
    </section>
  );
}

/** A button that opens a new segment with these rules. */
function Keep({ filter }: { filter: Condition }) {
  const { role } = useWhere();
  if (!mayWrite(role)) return null;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      component={Link}
      to={'/segments' as '/'}
      search={{ create: true, filter } as never}
    >
      {t('saveSegment')}
    </Button>
  );
}
