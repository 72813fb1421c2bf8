import { absolute } from '../components/time';
import { list } from '../i18n/format';
import { nodeTypeName } from '../i18n/node-types';
import { errorMessage, type OutcomePart, outcomeText } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import type { TimelineEntry } from './api';
import { changesOf, lineOf } from './changed-values';

const t = texts('contact');

/** Returns the name of an object in a timeline by its ID. */
export type Names = (id: string) => string | undefined;

/** The texts of a timeline entry. */
export interface Told {
  title: string;
  /** The text of the message, or details. */
  detail?: string;
  /** The ID of the node, for users of the API. */
  node?: string;
  tone?: 'bad' | 'wait' | 'ok';
  /** A link to the entry's object. */
  link?: { to: string; search?: Record<string, unknown> };
}

type Summary = Record<string, unknown>;

/** Senders that are shown with type and name. A member is shown by name only. */
const NAMED_SENDERS = ['api_key', 'flow', 'sequence', 'schedule', 'broadcast'] as const;

const text = (it: unknown) => (typeof it === 'string' ? it : '');
const record = (it: unknown): Summary => (typeof it === 'object' && it !== null ? (it as Summary) : {});

/** Describes a timeline entry. */
export function told(entry: TimelineEntry, names: Names): Told {
  const summary = record(entry.summary);
  switch (entry.kind) {
    case 'message':
    case 'suppression':
      return message(summary, names);
    case 'run_step':
      return step(summary, names);
    case 'enrollment':
      return enrollment(summary, names);
    case 'custom_event':
      return {
        title: t('entries.customEvent', { name: text(summary.name) }),
        detail: summary.data ? JSON.stringify(summary.data) : undefined,
      };
    default:
      return event(summary, names);
  }
}

function message(it: Summary, names: Names): Told {
  const detail = it.deleted_by_contact_at ? t('deletedByContact') : text(it.text) || contentOf(it);
  const by = sender(it.sender, names);
  const link = { to: `/inbox/${text(it.conversation_id)}` };
  if (it.status === 'suppressed') {
    const reason = why(text(it.reason));
    const title = titleBy(t('entries.notSent'), by);
    return {
      title,
      detail: detail ? `${reason}\n${t('quoted', { text: detail })}` : reason,
      tone: 'bad',
    };
  }
  if (it.direction === 'inbound') {
    const title = t(it.edited_at ? 'entries.receivedEdited' : 'entries.received');
    return { title, detail: withReactions(detail, it), link };
  }
  if (it.type === 'note') return { title: titleBy(t('entries.noted'), by), detail, link };
  const status = text(it.status);
  const title = t.find('messages', status) ?? t('entries.messageStatus', { status });
  const reason = it.reason ? errorMessage({ code: text(it.reason), message: why(text(it.reason)) }) : '';
  return {
    title: titleBy(title, by),
    detail: withReactions(reason ? `${detail ?? ''} — ${reason}` : detail, it),
    tone: status === 'failed' ? 'bad' : status === 'uncertain' ? 'wait' : undefined,
    link,
  };
}

/** Adds a line with the contact's reactions. */
function withReactions(detail: string | undefined, it: Summary): string | undefined {
  const emojis = Array.isArray(it.reactions) ? it.reactions.map(text).filter(Boolean) : [];
  if (emojis.length === 0) return detail;
  return [detail, t('entries.reactions', { emojis: emojis.join(' ') })].filter(Boolean).join('\n');
}

/** Describes the files or the location of a message without a text, such as `[Image] cat.png`. */
function contentOf(it: Summary): string | undefined {
  const content = t.find('content', text(it.type));
  const files = Array.isArray(it.files) ? it.files.map(text).filter(Boolean) : [];
  return content && files.length > 0 ? t('contentNamed', { content, name: list(files) }) : content;
}

/** Describes the reason why a message was not sent. */
export function why(reason: string): string {
  return t.find('reasons', reason) ?? reason.replaceAll('_', ' ');
}

function sender(it: unknown, names: Names): string {
  const { type, id } = record(it);
  const name = names(text(id));
  if (!name) return t.find('senders', text(type)) ?? text(type);
  const named = NAMED_SENDERS.find((it) => it === type);
  return named ? t(`namedSenders.${named}`, { name }) : name;
}

function titleBy(title: string, name: string): string {
  return name ? t('entries.titleBy', { title, name }) : title;
}

function step(it: Summary, names: Names): Told {
  const flow = names(text(it.flow_id)) ?? t('flow');
  const parts = Array.isArray(it.outcome_parts) ? (it.outcome_parts as OutcomePart[]) : [];
  const reason = parts.find((part) => part.code === 'suppressed')?.params?.reason;
  const type = nodeTypeName(text(it.type));
  return {
    title: t('entries.step', { flow, type }),
    node: text(it.node_id) || undefined,
    detail: reason ? why(reason) : outcomeText({ outcome: text(it.outcome), outcome_parts: parts }, absolute),
    tone: reason ? 'bad' : undefined,
    link: { to: `/flows/${text(it.flow_id)}`, search: { tab: 'runs', run: text(it.run_id) } },
  };
}

function enrollment(it: Summary, names: Names): Told {
  const name = names(text(it.sequence_id));
  return {
    title: name ? t('entries.sequence', { name }) : t('sequence'),
    detail: enrollmentStatus(text(it.status), text(it.exit_reason)),
    tone: it.status === 'failed' ? 'bad' : undefined,
  };
}

/** The status of an enrollment, with the reason if the contact left the sequence early. */
export function enrollmentStatus(status: string, exitReason: string | null): string {
  const name = t.find('statuses', status) ?? status;
  if (!exitReason) return name;
  const reason = t.find('exitReasons', exitReason) ?? exitReason.replaceAll('_', ' ');
  return t('enrollmentEnded', { status: name, reason });
}

function event(it: Summary, names: Names): Told {
  const type = text(it.type);
  const data = record(it.data);
  const object = record(data.object);
  const changes = changesOf(type, it, names);
  const about =
    names(text(record(data.tag).id)) ??
    names(text(object.flow_id)) ??
    names(text(object.sequence_id)) ??
    (type === 'conversation.assigned' ? names(text(object.assignee_id)) : undefined);
  const title = t.find('events', type) ?? type;
  const by = sender(it.actor, names);
  const [only] = changes;
  // A single change fits into the title. Several changes have a line each.
  const isShort = changes.length === 1 && only;
  const lines = [...(isShort ? [] : changes.map(lineOf)), by ? t('entries.by', { name: by }) : ''].filter(
    Boolean,
  );
  const subject = isShort ? lineOf(only) : about;
  return { title: subject ? `${title}: ${subject}` : title, detail: lines.join('\n') || undefined };
}
