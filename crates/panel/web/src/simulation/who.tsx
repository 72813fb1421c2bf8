import { Button, Group, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { DateInput } from '../components/date-input';
import { GuardedDrawer } from '../components/guarded';
import { SubmitForm } from '../components/submit-form';
import { instantOf, localTime } from '../conditions/values';
import { texts } from '../i18n/texts';
import { useFoundContacts } from './api';
import { objectOf } from './json';
import classes from './phone.module.css';
import type { Story } from './story';

const t = texts('simulation');
type Made = NonNullable<Story['contact']>;

interface Props {
  opened: boolean;
  story: Story;
  onApply: (story: Story) => void;
  onClose: () => void;
}

/** Selects the contact and the start time of a simulation. */
export function Who({ opened, story, onApply, onClose }: Props) {
  return (
    <GuardedDrawer opened={opened} onClose={onClose} title={t('who')}>
      <Form story={story} onApply={onApply} />
    </GuardedDrawer>
  );
}

function Form({ story, onApply }: Pick<Props, 'story' | 'onApply'>) {
  const [real, setReal] = useState(story.contact_id !== undefined);
  const [id, setId] = useState(story.contact_id ?? null);
  const [made, setMade] = useState<Made>(story.contact ?? {});
  const [tags, setTags] = useState((story.contact?.tags ?? []).join(', '));
  const [fields, setFields] = useState(JSON.stringify(story.contact?.custom_fields ?? {}, null, 2));
  const [startAt, setStartAt] = useState(story.start_at ? localTime(story.start_at) : '');
  const custom = objectOf(fields);
  const apply = () => {
    const { contact_id: _, contact: __, start_at: ___, ...rest } = story;
    const begins = startAt ? { start_at: instantOf(startAt) } : {};
    const whom = real && id ? { contact_id: id } : { contact: madeOf(made, tags, custom ?? {}) };
    onApply({ ...rest, ...whom, ...begins });
  };
  const field = (key: 'first_name' | 'last_name' | 'email' | 'time_zone', label: string, hint?: string) => (
    <TextInput
      label={label}
      placeholder={hint}
      value={made[key] ?? ''}
      onChange={(event) => setMade({ ...made, [key]: event.currentTarget.value })}
    />
  );
  return (
    <SubmitForm onSubmit={apply}>
      <Stack gap="md">
        <SegmentedControl
          aria-label={t('who')}
          value={real ? 'real' : 'made'}
          onChange={(next) => setReal(next === 'real')}
          data={[
            { value: 'made', label: t('madeUp') },
            { value: 'real', label: t('real') },
          ]}
        />
        {real ? (
          <>
            <ContactSelect id={id} onChange={setId} />
            <Text c="dimmed" size="sm">
              {t('realHint')}
            </Text>
          </>
        ) : (
          <>
            {field('first_name', t('firstName'))}
            {field('last_name', t('lastName'))}
            {field('email', t('email'))}
            {field('time_zone', t('zone'), 'Europe/Berlin')}
            <TextInput
              label={t('tags')}
              description={t('tagsHint')}
              value={tags}
              onChange={(event) => setTags(event.currentTarget.value)}
            />
            <div className={classes.form}>
              <Textarea
                label={t('fields')}
                autosize
                minRows={2}
                maxRows={8}
                spellCheck={false}
                value={fields}
                error={custom ? undefined : t('notObject')}
                onChange={(event) => setFields(event.currentTarget.value)}
              />
            </div>
          </>
        )}
        <DateInput
          timed
          label={t('startAt')}
          description={t('startAtHint')}
          value={startAt}
          onChange={setStartAt}
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={real ? id === null : !custom}>
            {t('apply')}
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  );
}

export function ContactSelect({
  id,
  onChange,
}: {
  id: string | null;
  onChange: (id: string | null) => void;
}) {
  const { workspace } = useWhere();
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed, 250);
  const found = useFoundContacts(workspace.id, asked.trim(), true);
  return (
    <Select
      label={t('contact')}
      placeholder={t('findContact')}
      searchable
      data={found.data ?? []}
      filter={({ options }) => options}
      value={id}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}

/** A made-up contact with the filled fields. */
export function madeOf(made: Made, tags: string, custom: Record<string, unknown>): Made {
  const names = tags
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean);
  const filled = Object.entries(made).filter(([, it]) => it !== '' && it !== undefined);
  const { tags: _, custom_fields: __, ...rest } = Object.fromEntries(filled) as Made;
  return {
    ...rest,
    ...(names.length > 0 && { tags: names }),
    ...(Object.keys(custom).length > 0 && { custom_fields: custom }),
  };
}
