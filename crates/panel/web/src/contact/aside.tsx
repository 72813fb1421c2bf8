import { ActionIcon, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Details } from '../components/details';
import { Failure } from '../components/states';
import { When } from '../components/when';
import { TagMenu } from '../contacts/tag-menu';
import { languageName } from '../i18n/format';
import { texts } from '../i18n/texts';
import { timeIn } from '../settings/zones';
import { useAddTag, useRemoveTag, type Versioned } from './api';
import { Channels } from './channels';
import classes from './contact.module.css';
import { Sequences } from './sequences';

const t = texts('contact');

/** A summary of a contact beside another page. */
export function Aside({ latest }: { latest: Versioned }) {
  const { contact } = latest;
  const known: [string, string | null][] = [
    [t('attributeNames.email'), contact.email],
    [t('attributeNames.phone'), contact.phone],
    [t('attributeNames.external_id'), contact.external_id],
    [t('attributeNames.locale'), contact.locale && languageName(contact.locale)],
  ];
  const rows: [string, React.ReactNode][] = known.filter(([, value]) => value !== null);
  if (contact.time_zone) {
    const there = timeIn(contact.time_zone, new Date());
    rows.push([
      t('localTime'),
      there ? t('timeAndZone', { time: there, zone: contact.time_zone }) : contact.time_zone,
    ]);
  }
  rows.push(
    [
      t('lastMessage'),
      contact.last_message_at ? <When key="last" at={contact.last_message_at} /> : t('never'),
    ],
    [t('created'), <When key="created" at={contact.created_at} />],
    [t('changed'), <When key="changed" at={contact.updated_at} />],
  );
  return (
    <aside className={classes.aside}>
      <section className={classes.part} aria-labelledby="about">
        <Title order={2} id="about">
          {t('about')}
        </Title>
        <Details rows={rows} />
      </section>
      <Tags latest={latest} />
      <Channels latest={latest} />
      <Sequences contact={contact} />
    </aside>
  );
}

function Tags({ latest }: { latest: Versioned }) {
  const { workspace, role, administers } = useWhere();
  const { tags, id } = latest.contact;
  const add = useAddTag(workspace.id, id);
  const remove = useRemoveTag(workspace.id, latest, administers);
  const writes = mayWrite(role);
  return (
    <section className={classes.part} aria-labelledby="tags">
      <Title order={2} id="tags">
        {t('tags')}
      </Title>
      <div className={classes.tags}>
        {tags.length === 0 && !writes && <span className="dimmed">{t('noTags')}</span>}
        {tags.map((tag) => (
          <span key={tag.id} className={classes.tag} data-alone={!writes || undefined}>
            {tag.name}
            {writes && (
              <ActionIcon
                variant="transparent"
                color="gray"
                size={24}
                aria-label={t('removeTag', { name: tag.name })}
                disabled={remove.isPending}
                onClick={() => remove.mutate(tag.id)}
              >
                <IconX size={13} />
              </ActionIcon>
            )}
          </span>
        ))}
        {writes && (
          <TagMenu
            label={t('addTag')}
            mayMake
            compact
            without={tags.map((it) => it.id)}
            onChoose={(tag) => add.mutate(tag)}
          />
        )}
      </div>
      {(add.error ?? remove.error) && (
        <div className={classes.failure}>
          <Failure error={add.error ?? remove.error} />
        </div>
      )}
    </section>
  );
}
