import { Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { Problem, sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { ChoiceCards } from '../components/choice-cards';
import { Failure } from '../components/states';
import { useTags } from '../conditions/use-fields';
import { faultMessage } from '../i18n/problems';
import { texts } from '../i18n/texts';
import { type BulkAction, countOf, useReach, useStart } from './api';
import { type Audience, EVERYBODY } from './audience';
import classes from './bulk.module.css';

const t = texts('bulk');
const common = texts('common');

type Kind = BulkAction['type'];

interface Props {
  audience: Audience;
  onStarted: (id: string) => void;
}

/** Asks what is to be done, tells how many it reaches, and does it once that was seen. */
export function BulkForm({ audience, onStarted }: Props) {
  const { workspace, administers } = useWhere();
  const tags = useTags().data ?? [];
  const [kind, setKind] = useState<Kind>('tag');
  const [tag, setTag] = useState<string | null>(null);
  const reach = useReach(workspace.id);
  const action: BulkAction | undefined =
    kind === 'delete' ? { type: kind } : tag ? { type: kind, tag_id: tag } : undefined;
  const kinds: Kind[] = administers ? ['tag', 'untag', 'delete'] : ['tag'];
  if (action && reach.data !== undefined) {
    return (
      <Sure
        wanted={{ filter: audience, action }}
        reached={reach.data}
        tag={tags.find(({ id }) => id === tag)?.name ?? ''}
        onBack={reach.reset}
        onStarted={onStarted}
      />
    );
  }
  const isEverybody = JSON.stringify(audience) === JSON.stringify(EVERYBODY);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (action) reach.mutate({ filter: audience, action });
      }}
    >
      <Text c={isEverybody ? 'var(--wait)' : 'dimmed'} mb="md">
        {isEverybody ? t('unfiltered') : t('filtered')}
      </Text>
      <ChoiceCards
        label={t('action')}
        choices={kinds.map((value) => ({
          value,
          name: t(`actions.${value}.name`),
          says: t(`actions.${value}.hint`),
        }))}
        value={kind}
        onChange={setKind}
      />
      {kind !== 'delete' && (
        <Select
          mt="md"
          label={t('tag')}
          placeholder={t('chooseTag')}
          data={tags.map(({ id, name }) => ({ value: id, label: name }))}
          value={tag}
          searchable
          limit={50}
          nothingFoundMessage={t('noTag')}
          onChange={setTag}
        />
      )}
      <Refused error={reach.error} />
      <Group justify="flex-end" mt="lg">
        <Button type="submit" loading={reach.isPending} disabled={!action}>
          {t('countContacts')}
        </Button>
      </Group>
    </form>
  );
}

interface SureProps {
  wanted: { filter: Audience; action: BulkAction };
  /** How many it reached when they were counted. */
  reached: number;
  tag: string;
  onBack: () => void;
  onStarted: (id: string) => void;
}

/** How many it is, and where, before it is done. */
function Sure({ wanted, reached, tag, onBack, onStarted }: SureProps) {
  const { workspace, live, inSandbox } = useWhere();
  const start = useStart(workspace.id);
  const now = countOf(start.error);
  const count = now ?? reached;
  const { type } = wanted.action;
  return (
    <div>
      <div role="status">
        {now !== undefined && (
          <Text c="var(--wait)" mb="xs">
            {t('countChanged', { count: now })}
          </Text>
        )}
        <Text fw={600} className={classes.sure}>
          {count === 0 ? t('noMatch') : t(`confirm.${type}`, { count, tag })}
        </Text>
        <Text c="dimmed" mt="xs">
          {t(`actions.${type}.hint`)}
        </Text>
        <Text c="dimmed" mt="xs">
          {inSandbox ? common('sandboxOf', { workspace: live.name }) : live.name}
        </Text>
      </div>
      {now === undefined && <Refused error={start.error} />}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button
          color={type === 'delete' ? 'red.8' : undefined}
          loading={start.isPending}
          disabled={count === 0}
          onClick={() =>
            start.mutate({ ...wanted, expected_count: count }, { onSuccess: ({ id }) => onStarted(id) })
          }
        >
          {t(`verbs.${type}`, { count })}
        </Button>
      </Group>
    </div>
  );
}

/** Why nothing was done. */
function Refused({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <div className={classes.refused}>
      <Failure error={error} />
      {error instanceof Problem &&
        error.faults.map((it) => <p key={it.message}>{sentence(faultMessage(it))}</p>)}
    </div>
  );
}
