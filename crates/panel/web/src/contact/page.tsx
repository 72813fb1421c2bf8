import { Button, Tabs } from '@mantine/core';
import { IconBolt, IconSend } from '@tabler/icons-react';
import { Link, Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useObjectId, useSearchState } from '../app/search-state';
import { Id } from '../components/id';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { ContactState, nameOf } from '../contacts/state';
import { texts } from '../i18n/texts';
import { isGone, useAct, useContact, type Versioned } from './api';
import { Aside } from './aside';
import classes from './contact.module.css';
import { Dialogs, type Opened } from './dialogs';
import { ContactMenu } from './menu';
import { ProfileForm } from './profile-form';
import { Timeline } from './timeline';

const t = texts('contact');
const contacts = texts('contacts');

export interface ContactPageSearch {
  tab?: 'profile';
  kind?: string;
}

/** People › Contacts › the contact in the address. */
export function ContactPage() {
  const id = useObjectId();
  const { workspace } = useWhere();
  const asked = useContact(workspace.id, id);
  const path = `/api/v1/contacts/${id}`;
  // The ID of a merged contact redirects to the remaining contact.
  if (asked.data && asked.data.contact.id !== id) {
    return <Navigate to="/contacts/$id" params={{ id: asked.data.contact.id }} replace />;
  }
  if (asked.data) return <One key={id} latest={asked.data} path={path} />;
  return (
    <Page title={contacts('contacts')} beside={<Id id={id} whole />} call={{ path }}>
      {!asked.error ? (
        <Waiting />
      ) : isGone(asked.error) ? (
        <Gone id={id} />
      ) : (
        <Failure error={asked.error} retry={() => void asked.refetch()} />
      )}
    </Page>
  );
}

function One({ latest, path }: { latest: Versioned; path: string }) {
  const { contact } = latest;
  const { role } = useWhere();
  const [search, show] = useSearchState<ContactPageSearch>();
  const [opened, open] = useState<Opened>();
  const writes = mayWrite(role);
  return (
    <Page
      title={nameOf(contact)}
      beside={<ContactState contact={contact} />}
      id={contact.id}
      hasMenu
      call={{ path }}
      action={
        <>
          {writes && (
            <>
              <Button variant="default" leftSection={<IconBolt size={16} />} onClick={() => open('start')}>
                {t('start')}
              </Button>
              <Button leftSection={<IconSend size={16} />} onClick={() => open('send')}>
                {t('send')}
              </Button>
            </>
          )}
          <ContactMenu open={open} />
        </>
      }
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          <Tabs
            value={search.tab ?? 'timeline'}
            onChange={(tab) => show({ tab: tab === 'profile' ? 'profile' : undefined })}
            keepMounted={false}
          >
            <Tabs.List mb="md">
              <Tabs.Tab value="timeline">{t('tabs.timeline')}</Tabs.Tab>
              <Tabs.Tab value="profile">{t('tabs.profile')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="timeline">
              <Timeline id={contact.id} kind={search.kind} onKind={(kind) => show({ kind })} />
            </Tabs.Panel>
            <Tabs.Panel value="profile">
              <ProfileForm latest={latest} />
            </Tabs.Panel>
          </Tabs>
        </div>
        <Aside latest={latest} />
      </div>
      <Dialogs contact={contact} opened={opened} onClose={() => open(undefined)} />
    </Page>
  );
}

/** A page for a contact that was not found. A deleted contact can be restored here. */
function Gone({ id }: { id: string }) {
  const { workspace, role } = useWhere();
  const act = useAct(workspace.id, id);
  return (
    <>
      <Empty
        title={t('gone')}
        action={
          <>
            {mayWrite(role) && (
              <Button loading={act.isPending} onClick={() => act.mutate({ do: 'restore' })} mr="xs">
                {t('restore')}
              </Button>
            )}
            <Button variant="default" renderRoot={(props) => <Link to="/contacts" {...props} />}>
              {t('toContacts')}
            </Button>
          </>
        }
      >
        {t('goneHint')}
      </Empty>
      {act.error && (
        <div className={classes.failure}>
          <Failure error={act.error} />
        </div>
      )}
    </>
  );
}
