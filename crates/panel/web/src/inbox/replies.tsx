import { Button, Popover, Text, TextInput } from '@mantine/core';
import { IconMessage2Bolt } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiIn } from '../api/client';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import type { Attached } from '../attachments/attached';
import { Failure, told } from '../components/states';
import { compareNames } from '../i18n/format';
import { texts } from '../i18n/texts';
import { allReplies, type SavedReply } from '../replies/api';
import classes from './composer.module.css';

const t = texts('inbox');

/** All saved replies, sorted by name. */
function useSavedReplies(ws: string, enabled: boolean) {
  return useQuery({
    ...allReplies(ws),
    enabled,
    select: (all) => all.toSorted((a, b) => compareNames(a.name, b.name)),
    staleTime: 30_000,
  });
}

interface Props {
  contact: string;
  opened: boolean;
  setOpened: (opened: boolean) => void;
  /** Inserts the text as rendered for this contact, and attaches the files. */
  insert: (text: string, files: Attached[]) => void;
}

/** Searches saved replies and inserts one for the contact. */
export function SavedReplies({ contact, opened, setOpened, insert }: Props) {
  const { workspace } = useWhere();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const replies = useSavedReplies(workspace.id, opened);
  const render = useMutation({
    mutationFn: ({ text: template }: SavedReply) =>
      apiIn(workspace.id).POST('/api/v1/templates/render', { body: { template, contact_id: contact } }),
    onSuccess: (made, { attachments }) => {
      insert(made.text, attachments ?? []);
      close();
    },
  });
  const close = () => {
    setOpened(false);
    setText('');
    setAt(0);
    render.reset();
  };
  const found = (replies.data ?? []).filter((it) => matches(`${it.name} ${it.text}`, text));
  const press = (event: React.KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && found.length > 0) {
      event.preventDefault();
      setAt((at + by + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = found[at];
      if (chosen) render.mutate(chosen);
    }
  };
  const fault = faultsByField(render.error).template;
  return (
    <Popover
      opened={opened}
      onChange={(it) => !it && close()}
      position="top-start"
      width={380}
      shadow="md"
      trapFocus
    >
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconMessage2Bolt size={15} aria-hidden />}
          className={classes.tool}
          onClick={() => (opened ? close() : setOpened(true))}
        >
          {t('savedReplies')}
          <kbd className={classes.key}>/</kbd>
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)" p={8}>
        {replies.error ? (
          <Failure error={replies.error} retry={() => void replies.refetch()} />
        ) : replies.data?.length === 0 ? (
          <NoReplies />
        ) : (
          <>
            <TextInput
              aria-label={t('findReply')}
              placeholder={t('findReply')}
              role="combobox"
              aria-expanded
              aria-controls="saved-replies"
              aria-activedescendant={found[at] ? `saved-reply-${at}` : undefined}
              data-autofocus
              value={text}
              error={render.error ? (fault ?? told(render.error)) : undefined}
              onChange={(event) => {
                setText(event.currentTarget.value);
                setAt(0);
                render.reset();
              }}
              onKeyDown={press}
            />
            <div id="saved-replies" role="listbox" aria-label={t('savedReplies')} className={classes.replies}>
              {found.map((it, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
                <div
                  key={it.id}
                  id={`saved-reply-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === at}
                  className={classes.saved}
                  onMouseMove={() => setAt(index)}
                  onClick={() => render.mutate(it)}
                >
                  <b>{it.name}</b>
                  <span className={classes.preview}>{it.text}</span>
                </div>
              ))}
            </div>
            {replies.data && found.length === 0 && (
              <Text size="sm" c="dimmed" p={8}>
                {t('noReplyMatch')}
              </Text>
            )}
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function NoReplies() {
  return (
    <>
      <Text fw={600}>{t('noReplies')}</Text>
      <Text c="dimmed" size="sm" mb="xs">
        {t('noRepliesHint')}
      </Text>
      <Button
        size="xs"
        renderRoot={(props) => <Link to="/settings/saved-replies" search={{ create: true }} {...props} />}
      >
        {t('createReply')}
      </Button>
    </>
  );
}

/** Whether a text contains each word. */
function matches(text: string, wanted: string): boolean {
  const all = text.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
