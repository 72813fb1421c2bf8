import { ActionIcon, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../api/connection';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useNow } from '../components/clock';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { absolute } from '../components/time';
import { date, languageName, list, number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { timeIn } from '../settings/zones';
import { Avatar } from './avatar';
import classes from './card.module.css';
import { useNames } from './names';
import { OtherConversations } from './other-conversations';
import { type Contact, type CustomField, nameOf, useContact, useFields, useTimeline } from './people';
import { Tags } from './tags';
import { span } from './times';
import { told } from './told';
import type { Conversation } from './views';

const t = texts('inbox');

const EditContact = lazy(() =>
  loadPart(() => import('./edit-contact')).then(({ EditContact: part }) => ({ default: part })),
);

/** The contact of a conversation: fields, tags and recent events. */
export function ContactCard({ of }: { of: Conversation }) {
  const { workspace, administers, role } = useWhere();
  const { contact_id: id } = of;
  const [isEditing, setEditing] = useState(false);
  const contact = useContact(workspace.id, id);
  if (contact.error && !contact.data) {
    return <Failure error={contact.error} retry={() => void contact.refetch()} />;
  }
  if (!contact.data) return <Waiting />;
  const it = contact.data;
  const name = nameOf(it, id);
  return (
    <>
      <div className={classes.person}>
        <Avatar name={name} size={36} />
        <div className={classes.names}>
          <Link to="/contacts/$id" params={{ id }} className={classes.name} title={t('openContact')}>
            {name}
          </Link>
          {administers && <Id id={id} />}
        </div>
        {mayWrite(role) && (
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.edit}
            aria-label={t('editContact')}
            onClick={() => setEditing(true)}
          >
            <IconPencil size={16} />
          </ActionIcon>
        )}
      </div>
      {(it.status === 'blocked' || !it.subscribed) && (
        <div className={classes.states}>
          {it.status === 'blocked' && <Status tone="bad">{t('blocked')}</Status>}
          {!it.subscribed && <Status tone="off">{t('unsubscribed')}</Status>}
        </div>
      )}
      <Facts contact={it} />
      <Tags contact={it} />
      <OtherConversations of={of} />
      <Newest contact={id} />
      {isEditing && (
        <Suspense>
          <EditContact id={id} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  );
}

function Facts({ contact }: { contact: Contact }) {
  const { workspace } = useWhere();
  const fields = useFields(workspace.id);
  const now = useNow();
  const rows: [string, React.ReactNode][] = [];
  const add = (label: string, text: string | null | undefined) => text && rows.push([label, text]);
  if (contact.email) rows.push([t('email'), <Email key="email" address={contact.email} />]);
  add(t('phone'), contact.phone);
  add(t('externalId'), contact.external_id);
  add(t('language'), contact.locale && languageName(contact.locale));
  if (contact.time_zone) {
    const there = timeIn(contact.time_zone, new Date(now));
    add(
      t('localTime'),
      there ? t('timeAndCity', { time: there, city: cityOf(contact.time_zone) }) : contact.time_zone,
    );
  }
  for (const [key, value] of Object.entries(contact.custom_fields)) {
    const field = fields?.get(key);
    add(field?.name ?? key, shown(value, field?.type));
  }
  return rows.length > 0 ? <Details rows={rows} /> : null;
}

/** An email address. A long one is broken before its domain. */
function Email({ address }: { address: string }) {
  const domain = address.lastIndexOf('@') + 1;
  return (
    <>
      {address.slice(0, domain)}
      <wbr />
      {address.slice(domain)}
    </>
  );
}

/** The city of a time zone: "America/New_York" becomes "New York". */
const cityOf = (zone: string) => zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;

function shown(value: unknown, type: CustomField['type'] | undefined): string {
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return number(value, { maximumFractionDigits: 20 });
  if (Array.isArray(value)) return list(value.map(String));
  const text = String(value ?? '');
  if (Number.isNaN(Date.parse(text))) return text;
  if (type === 'date') return date(text, { dateStyle: 'medium', timeZone: 'UTC' });
  return type === 'datetime' ? absolute(text) : text;
}

function Newest({ contact }: { contact: string }) {
  const { workspace } = useWhere();
  const timeline = useTimeline(workspace.id, contact);
  const named = useNames(workspace.id);
  const now = useNow();
  const entries = (timeline.data ?? []).map((it) => ({ id: it.id, at: it.at, said: told(it, named) }));
  return (
    <section aria-label={t('newest')}>
      <h3 className={classes.title}>{t('newest')}</h3>
      {timeline.error && !timeline.data ? (
        <Failure error={timeline.error} retry={() => void timeline.refetch()} />
      ) : (
        <ol className={classes.timeline}>
          {entries.map(({ id, at, said }) => (
            <li key={id}>
              <time dateTime={at} title={absolute(at)}>
                {span(at, now)}
              </time>
              <span>{said}</span>
            </li>
          ))}
        </ol>
      )}
      {timeline.data && entries.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('nothingHappened')}
        </Text>
      )}
    </section>
  );
}
