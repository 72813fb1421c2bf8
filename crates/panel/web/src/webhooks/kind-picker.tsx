import { Checkbox, Input, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Failure, Waiting } from '../components/states';
import { type EventType, useEventTypes } from '../events/api';
import { eventDescription } from '../i18n/event-types';
import { texts } from '../i18n/texts';
import { KindRow } from './kind-row';
import { ALL, grouped, shareOf, toggled } from './kinds';
import classes from './webhooks.module.css';

const t = texts('webhooks');

interface Props {
  value: string[];
  onChange: (value: string[]) => void;
  error?: string;
}

/** Selects event types from the catalogue. */
export function KindPicker({ value, onChange, error }: Props) {
  const { workspace } = useWhere();
  const types = useEventTypes(workspace.id);
  const [kept, keep] = useState<string[]>([]);
  const all = value.includes(ALL);
  return (
    <Input.Wrapper
      label={t('events')}
      description={t('eventsHint')}
      labelElement="div"
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      error={error}
    >
      <div>
        <SegmentedControl
          mt={6}
          aria-label={t('events')}
          value={all ? 'all' : 'some'}
          data={[
            { value: 'some', label: t('someEvents') },
            { value: 'all', label: t('allEvents') },
          ]}
          onChange={(next) => {
            if (next === 'all') keep(value);
            onChange(next === 'all' ? [ALL] : kept);
          }}
        />
        {!all &&
          (types.error ? (
            <Failure error={types.error} retry={() => void types.refetch()} />
          ) : types.data ? (
            <Catalogue types={types.data} value={value} onChange={onChange} />
          ) : (
            <Waiting />
          ))}
      </div>
    </Input.Wrapper>
  );
}

interface CatalogueProps {
  types: EventType[];
  value: string[];
  onChange: (value: string[]) => void;
}

function Catalogue({ types, value, onChange }: CatalogueProps) {
  const [wanted, want] = useState('');
  const names = types.map((it) => it.type);
  const set = (kinds: string[], on: boolean) => onChange(toggled(value, kinds, on, names));
  const text = wanted.trim().toLowerCase();
  const shown = types.filter((it) => `${it.type} ${eventDescription(it)}`.toLowerCase().includes(text));
  return (
    <div className={classes.kinds}>
      <div className={classes.find}>
        <TextInput
          aria-label={t('findType')}
          data-filter
          placeholder={t('findType')}
          value={wanted}
          rightSectionWidth={150}
          rightSection={
            <span className={`dimmed figures ${classes.count}`} role="status">
              {t('selected', { selected: value.length, all: names.length })}
            </span>
          }
          onChange={(event) => want(event.currentTarget.value)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <section className={classes.scroll} aria-label={t('events')} tabIndex={0}>
        {grouped(shown).map(({ subject, kinds }) => {
          const possible = kinds.filter((it) => it.can_happen).map((it) => it.type);
          const share = shareOf(value, possible);
          return (
            <div key={subject} className={classes.group}>
              <Checkbox
                label={<b>{t('allOf', { subject })}</b>}
                checked={share === 'all'}
                indeterminate={share === 'some'}
                disabled={possible.length === 0}
                onChange={() => set(possible, share !== 'all')}
              />
              {kinds.map((kind) => (
                <KindRow
                  key={kind.type}
                  kind={kind}
                  checked={value.includes(kind.type)}
                  onChange={(on) => set([kind.type], on)}
                />
              ))}
            </div>
          );
        })}
      </section>
    </div>
  );
}
