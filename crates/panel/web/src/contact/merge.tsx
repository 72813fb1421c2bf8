import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { apiIn } from '../api/client';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { nameOf } from '../contacts/state';
import { texts } from '../i18n/texts';
import { type Contact, useAct } from './api';
import { merging } from './merging';

const t = texts('contact');

interface Props {
  contact: Contact;
  onDone: () => void;
}

/** Selects the contact into which this one is merged, and previews the result. */
export function MergeForm({ contact, onDone }: Props) {
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<Contact>();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), 250);
  const act = useAct(workspace.id, contact.id);
  const found = useQuery({
    queryKey: ['contacts-to-merge', workspace.id, settled],
    queryFn: ({ signal }) =>
      apiIn(workspace.id).GET('/api/v1/contacts', {
        params: { query: { q: settled || undefined, limit: 20 } },
        signal,
      }),
    placeholderData: (before) => before,
  });
  const others = (found.data?.data ?? []).filter((it) => it.id !== contact.id && it.id !== chosen?.id);
  const options = chosen ? [chosen, ...others] : others;
  const label = (it: Contact) =>
    [nameOf(it), it.email ?? it.phone ?? it.external_id].filter(Boolean).join(' · ');
  const merge = (into: string) =>
    act.mutate(
      { do: 'merge', into },
      {
        onSuccess: () => {
          onDone();
          void navigate({ to: '/contacts/$id', params: { id: into } });
        },
      },
    );
  return (
    <Stack gap="md">
      <Select
        label={t('mergeInto')}
        description={t('mergeHint')}
        data-autofocus
        searchable
        data={options.map((it) => ({ value: it.id, label: label(it) }))}
        // The API has filtered the options.
        filter={({ options }) => options}
        nothingFoundMessage={t('noContacts')}
        value={chosen?.id ?? null}
        onSearchChange={setText}
        onChange={(id) => {
          setChosen(options.find((it) => it.id === id));
          act.reset();
        }}
      />
      {chosen && <Preview gone={contact} stays={chosen} />}
      {act.error && chosen && <Failure error={act.error} retry={() => merge(chosen.id)} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t('cancel')}
        </Button>
        <Button
          color="red"
          disabled={!chosen}
          loading={act.isPending}
          onClick={() => chosen && merge(chosen.id)}
        >
          {t('mergeVerb')}
        </Button>
      </Group>
    </Stack>
  );
}

function Preview({ gone, stays }: { gone: Contact; stays: Contact }) {
  const { gets, dropped, tags, stricter } = merging(gone, stays);
  const told = (rows: [string, string][]) =>
    rows.map(([name, it]) => `${t.find('attributeNames', name) ?? name}: ${it}`);
  const name = nameOf(stays);
  const parts = [
    { title: t('mergeGets', { name }), lines: [...told(gets), ...tags.map((tag) => `${t('tags')}: ${tag}`)] },
    { title: t('mergeDiscarded'), lines: told(dropped) },
    { title: t('mergeStatus'), lines: stricter.map((it) => t(`statuses.${it}`)) },
  ].filter(({ lines }) => lines.length > 0);
  return (
    <section aria-label={t('mergePreview')}>
      <Stack gap="xs">
        {parts.map(({ title, lines }) => (
          <div key={title}>
            <Text fw={600} size="sm">
              {title}
            </Text>
            {lines.map((line) => (
              <Text size="sm" key={line} style={{ overflowWrap: 'anywhere' }}>
                {line}
              </Text>
            ))}
          </div>
        ))}
        <Text size="sm" c="dimmed">
          {t('mergeRest', { name })}
        </Text>
      </Stack>
    </section>
  );
}
