import {
  ActionIcon,
  Button,
  Group,
  Popover,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Failure } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { When } from '../components/when';
import { useChannels } from '../conditions/use-fields';
import { texts } from '../i18n/texts';
import { type Contact, useSaveContact, type Versioned } from './api';
import classes from './contact.module.css';

const t = texts('contact');

type Identity = Contact['identities'][number];
type NewIdentity = Pick<Identity, 'channel_id' | 'address' | 'opted_in'>;

/** The identities of a contact on channels, and the opt-in for each. */
export function Channels({ latest }: { latest: Versioned }) {
  const { workspace, role } = useWhere();
  const { contact, etag } = latest;
  const channels = useChannels().data ?? [];
  const save = useSaveContact(workspace.id, contact.id);
  const writes = mayWrite(role);
  const write = (identities: NewIdentity[], done?: () => void) => {
    const written = identities.map(({ channel_id, address, opted_in }) => ({
      channel_id,
      address,
      opted_in,
    }));
    save.mutate({ body: { identities: written }, etag }, { onSuccess: done });
  };
  const without = (it: Identity) => contact.identities.filter((other) => other !== it);
  return (
    <section className={classes.part} aria-labelledby="channels">
      <Title order={2} id="channels">
        {t('channels')}
      </Title>
      {contact.status === 'blocked' ? (
        <p className={classes.note}>{t('blockedNote')}</p>
      ) : (
        !contact.subscribed && <p className={classes.note}>{t('unsubscribedNote')}</p>
      )}
      {contact.identities.length === 0 && <Text c="dimmed">{t('noChannels')}</Text>}
      {contact.identities.map((it) => {
        const channel = channels.find(({ id }) => id === it.channel_id);
        const name = channel?.name ?? t('channel');
        return (
          <div key={`${it.channel_id} ${it.address}`} className={classes.line}>
            <div className={classes.words}>
              <div>{name}</div>
              {channel?.kind !== 'sandbox' &&
                [it.address, ...it.aliases].map((address) => (
                  <div key={address} className="dimmed mono-small">
                    {address}
                  </div>
                ))}
              {it.opt_out && (
                <div className="dimmed">
                  {t('optOut', { source: t(`optOutSources.${it.opt_out.source}`) })}{' '}
                  <When at={it.opt_out.at} />
                </div>
              )}
              {it.undeliverable_since && (
                <div className={classes.undeliverable}>
                  {t('undeliverable')} <When at={it.undeliverable_since} />
                </div>
              )}
            </div>
            <Switch
              aria-label={t('optedIn', { channel: name })}
              checked={it.opted_in}
              disabled={!writes || save.isPending}
              onChange={(event) =>
                write(
                  contact.identities.map((other) =>
                    other === it ? { ...it, opted_in: event.currentTarget.checked } : other,
                  ),
                )
              }
            />
            {writes && channel && channel.kind !== 'sandbox' && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('removeAddress', { address: it.address })}
                disabled={save.isPending}
                onClick={() => write(without(it))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </div>
        );
      })}
      {writes && channels.some(({ kind }) => kind !== 'sandbox') && (
        <Add
          channels={channels.filter(({ kind }) => kind !== 'sandbox')}
          pending={save.isPending}
          onAdd={(it, done) => write([...contact.identities, it], done)}
        />
      )}
      {save.error && (
        <div className={classes.failure}>
          <Failure error={save.error} />
        </div>
      )}
    </section>
  );
}

interface AddProps {
  channels: { id: string; name: string }[];
  pending: boolean;
  onAdd: (identity: NewIdentity, done: () => void) => void;
}

function Add({ channels, pending, onAdd }: AddProps) {
  const [opened, open] = useState(false);
  const [channel, setChannel] = useState(channels[0]?.id ?? '');
  const [address, setAddress] = useState('');
  return (
    <Popover opened={opened} onChange={open} width={280} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" size="compact-sm" mt="xs" onClick={() => open(!opened)}>
          {t('addAddress')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <SubmitForm
          onSubmit={() => {
            onAdd({ channel_id: channel, address: address.trim(), opted_in: true }, () => {
              open(false);
              setAddress('');
            });
          }}
        >
          <Stack gap="sm">
            <Select
              label={t('channel')}
              data={channels.map(({ id, name }) => ({ value: id, label: name }))}
              value={channel}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              onChange={(it) => it && setChannel(it)}
            />
            <TextInput
              label={t('address')}
              maxLength={255}
              value={address}
              onChange={(event) => setAddress(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button type="submit" loading={pending} disabled={!address.trim()}>
                {t('addAddress')}
              </Button>
            </Group>
          </Stack>
        </SubmitForm>
      </Popover.Dropdown>
    </Popover>
  );
}
