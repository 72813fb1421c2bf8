import { Status, type Tone } from '../components/status';
import { texts } from '../i18n/texts';
import type { Contact } from './api';

const t = texts('contacts');

/** The status of a contact: whether it can receive messages. */
export function stateOf({
  status,
  subscribed,
  deleted_at,
}: Pick<Contact, 'status' | 'subscribed' | 'deleted_at'>): [Tone, string] {
  if (deleted_at) return ['off', t('deleted')];
  if (status === 'blocked') return ['bad', t('blocked')];
  return subscribed ? ['ok', t('statuses.subscribed')] : ['off', t('unsubscribed')];
}

export function ContactState({ contact }: { contact: Contact }) {
  const [tone, word] = stateOf(contact);
  return <Status tone={tone}>{word}</Status>;
}

/** The displayed name of a contact: its name, otherwise an identifier. */
export function nameOf(contact: Pick<Contact, 'name' | 'email' | 'phone' | 'external_id'>): string {
  return contact.name ?? contact.email ?? contact.phone ?? contact.external_id ?? t('noName');
}
