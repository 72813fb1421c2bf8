import type { components } from '../api/schema';
import type { Tone } from '../components/status';
import { texts } from '../i18n/texts';

const t = texts('sandbox');

export type Message = components['schemas']['Message'];

/** Merges lists of messages: each message once in its newest version, oldest first. */
export function merge(...lists: Message[][]): Message[] {
  const newest = new Map<string, Message>();
  for (const message of lists.flat()) {
    const known = newest.get(message.id);
    if (!known || known.version < message.version) newest.set(message.id, message);
  }
  return [...newest.values()].sort((a, b) => order(a).localeCompare(order(b)));
}

/** IDs of the same millisecond are in the order of creation. */
function order({ created_at, id }: Message): string {
  return `${created_at} ${id}`;
}

export type Side = 'contact' | 'service' | 'note';

export function sideOf(message: Message): Side {
  if (message.private) return 'note';
  return message.direction === 'inbound' ? 'contact' : 'service';
}

/** The text of a message, or a description of its content, such as `[Image] cat.png`. */
export function wordsOf({ type, text, template, attachments, deleted_by_contact_at }: Message): string {
  if (deleted_by_contact_at) return t('deletedByContact');
  if (text) return text;
  if (template) return t('template', { name: template.name });
  const [only, ...others] = attachments;
  const content = t.find('content', type);
  if (only && others.length === 0 && content)
    return only.name ? t('contentNamed', { content, name: only.name }) : content;
  return attachments.length > 0 ? t('attachments', { count: attachments.length }) : t('noWords');
}

export function senderOf({ sender }: Message): string {
  return t(`senders.${sender.type}`);
}

export function statusOf(status: Message['status']): string {
  return t(`statuses.${status}`);
}

const TONES: Partial<Record<Message['status'], Tone>> = {
  queued: 'wait',
  sending: 'wait',
  uncertain: 'wait',
  failed: 'bad',
  suppressed: 'off',
};

export function toneOf(status: Message['status']): Tone {
  return TONES[status] ?? 'ok';
}

/** The quick replies of the last message, if it is from the service. */
export function choicesOf(messages: Message[]): string[] {
  const last = messages.findLast((it) => !it.private);
  return last?.direction === 'outbound' ? last.quick_replies.map((it) => it.title) : [];
}

/** Whether a contact is named by its ID. Otherwise it is named by its external ID. */
export function isContactId(contact: string): boolean {
  return /^contact_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(contact);
}
