import type { components } from '../api/schema';
import { texts } from '../i18n/texts';
import type { Message } from '../sandbox/messages';

export type TimelineEntry = components['schemas']['TimelineEntry'];
type NameOf = (id: string) => string | undefined;

const t = texts('inbox');

/** The sender of a message, for the line below it. */
export function senderOf(
  { sender }: Pick<Message, 'sender'>,
  person: (id: string) => string,
  named: NameOf,
): string {
  const { type, id } = sender;
  if (type === 'user' && id) return person(id);
  const name = id && named(id);
  if (name && (type === 'flow' || type === 'sequence')) return t(`namedSenders.${type}`, { name });
  return t(`senders.${type}`);
}

export function reasonOf(code: string | null | undefined): string {
  return t.find('reasons', code) ?? ((code ?? '').replaceAll('_', ' ') || t('unknownReason'));
}

/** Reads a text from a summary. Its members depend on the kind of entry. */
function at(summary: unknown, ...path: string[]): string | undefined {
  let value: unknown = summary;
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Whether an entry is about a message, which the thread shows. */
export function isOfMessage({ kind, summary }: TimelineEntry): boolean {
  return kind === 'message' || (kind === 'event' && (at(summary, 'type') ?? '').startsWith('message.'));
}

/** Describes a timeline entry in a line. */
export function told({ kind, summary }: TimelineEntry, named: NameOf): string {
  if (kind === 'custom_event') return t('timeline.custom', { name: at(summary, 'name') ?? '' });
  if (kind === 'suppression') return t('suppressed', { reason: reasonOf(at(summary, 'reason')) });
  if (kind === 'enrollment') {
    const name = named(at(summary, 'sequence_id') ?? '') ?? t('timeline.aSequence');
    const status = at(summary, 'status') ?? '';
    return t('timeline.enrollment', { name, status: t.find('statuses', status) ?? status });
  }
  const type = at(summary, 'type') ?? '';
  const about =
    named(at(summary, 'data', 'tag', 'id') ?? '') ??
    named(at(summary, 'data', 'object', 'flow_id') ?? '') ??
    named(at(summary, 'data', 'object', 'sequence_id') ?? '') ??
    at(summary, 'data', 'field', 'key');
  const event = t.find('events', type) ?? (type || kind).replaceAll(/[._]/g, ' ');
  return about ? t('timeline.named', { event, name: about }) : event;
}
