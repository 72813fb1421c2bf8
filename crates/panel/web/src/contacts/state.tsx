import { Status, type Tone } from '../components/status';
import { texts } from '../i18n/texts';
import type { Contact } from './api';

const t = texts('contacts');

/** Whether a contact can be written to, in a word. */
export function stateOf({
  status,
  subscribed,
  deleted_at,
}: Pick<Contact, 'status' | 'subscribed' | 'deleted_at'>): [Tone, string] {
  if (deleted_at) return ['off', t('statuses.deleted')];
  if (status === 'blocked') return ['bad', t('statuses.blocked')];
  return subscribed ? ['ok', t('statuses.subscribed')] : ['off', t('statuses.unsubscribed')];
}

export function ContactState({ contact }: { contact: Contact }) {
  const [tone, word] = stateOf(contact);
  return <Status tone={tone}>{word}</Status>;
}

/** What a contact is called where it has no name. */
export function nameOf(contact: Pick<Contact, 'name' | 'email' | 'phone' | 'external_id'>): string {
  return contact.name ?? contact.email ?? contact.phone ?? contact.external_id ?? t('noName');
}
