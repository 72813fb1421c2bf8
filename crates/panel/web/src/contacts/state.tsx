import { Status, type Tone } from '../components/status';
import { contacts as words } from '../i18n/en/contacts';
import type { Contact } from './api';

/** Whether a contact can be written to, in a word. */
export function stateOf({
  status,
  subscribed,
  deleted_at,
}: Pick<Contact, 'status' | 'subscribed' | 'deleted_at'>): [Tone, string] {
  if (deleted_at) return ['off', words.deleted];
  if (status === 'blocked') return ['bad', words.blocked];
  return subscribed ? ['ok', words.subscribed] : ['off', words.unsubscribed];
}

export function ContactState({ contact }: { contact: Contact }) {
  const [tone, word] = stateOf(contact);
  return <Status tone={tone}>{word}</Status>;
}

/** What a contact is called where it has no name. */
export function nameOf(contact: Pick<Contact, 'name' | 'email' | 'phone' | 'external_id'>): string {
  return contact.name ?? contact.email ?? contact.phone ?? contact.external_id ?? words.noName;
}
