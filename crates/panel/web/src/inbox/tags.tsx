import { ActionIcon, CloseButton, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { told } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import classes from './card.module.css';
import { type Contact, cardOf } from './people';

const t = texts('inbox');

/** The tags of a contact. Members can add tags, only admins can remove them. */
export function Tags({ contact }: { contact: Contact }) {
  const { workspace, role, administers } = useWhere();
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [name, setName] = useState('');
  const keep = (now: Contact) => {
    client.setQueryData(cardOf(workspace.id, contact.id), now);
    void client.invalidateQueries({ queryKey: [...keys.timelines(workspace.id), contact.id] });
  };
  const api = apiIn(workspace.id);
  const add = useMutation({
    mutationFn: (tag: string) =>
      api.POST('/api/v1/contacts/{id}/tags', { params: { path: { id: contact.id } }, body: { name: tag } }),
    onSuccess: (now) => {
      keep(now);
      setAdding(false);
      setName('');
    },
  });
  const remove = useMutation({
    mutationFn: (tag: string) =>
      api.DELETE('/api/v1/contacts/{id}/tags/{tag_id}', {
        params: { path: { id: contact.id, tag_id: tag } },
      }),
    onSuccess: (_, tag) => keep({ ...contact, tags: contact.tags.filter((it) => it.id !== tag) }),
    onError: () => void client.invalidateQueries({ queryKey: cardOf(workspace.id, contact.id) }),
  });
  return (
    <section aria-label={t('tags')}>
      <h3 className={classes.title}>{t('tags')}</h3>
      <div className={classes.tags}>
        {contact.tags.map((tag) => (
          <span key={tag.id} className={classes.tag} data-alone={!administers || undefined}>
            <span className={classes.tagName}>{tag.name}</span>
            {administers && (
              <CloseButton
                size={24}
                iconSize={12}
                aria-label={t('removeTag', { name: tag.name })}
                disabled={remove.isPending}
                onClick={() => remove.mutate(tag.id)}
              />
            )}
          </span>
        ))}
        {contact.tags.length === 0 && !mayWrite(role) && <span className="dimmed">{t('noTags')}</span>}
        {mayWrite(role) && !adding && (
          <ActionIcon variant="subtle" color="gray" aria-label={t('addTag')} onClick={() => setAdding(true)}>
            <IconPlus size={14} />
          </ActionIcon>
        )}
      </div>
      {remove.error && <p className={classes.fault}>{told(remove.error)}</p>}
      {adding && (
        <SubmitForm
          className={classes.adding}
          onSubmit={() => {
            if (name.trim()) add.mutate(name.trim());
          }}
        >
          <TextInput
            size="xs"
            aria-label={t('addTag')}
            placeholder={t('addTag')}
            autoFocus
            maxLength={100}
            value={name}
            error={add.error ? (faultsByField(add.error).name ?? told(add.error)) : undefined}
            readOnly={add.isPending}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Escape' && setAdding(false)}
            onBlur={() => name.trim() === '' && setAdding(false)}
          />
        </SubmitForm>
      )}
    </section>
  );
}
