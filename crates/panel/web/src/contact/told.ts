import { contact as words } from '../i18n/en/contact';
import type { TimelineEntry } from './api';
import { changesOf, lineOf } from './changed-values';

/** What the ids in a timeline are called. */
export type Names = (id: string) => string | undefined;

/** An entry as people read it. */
export interface Told {
  title: string;
  /** What was said, or what belongs to it. */
  detail?: string;
  tone?: 'bad' | 'wait' | 'ok';
  /** Where more is to be seen. */
  link?: { to: string; search?: Record<string, unknown> };
}

type Summary = Record<string, unknown>;

const text = (it: unknown) => (typeof it === 'string' ? it : '');
const record = (it: unknown): Summary => (typeof it === 'object' && it !== null ? (it as Summary) : {});

/** What an entry of a timeline says. */
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
        title: words.customEvent(text(summary.name)),
        detail: summary.data ? JSON.stringify(summary.data) : undefined,
      };
    default:
      return event(summary, names);
  }
}

function message(it: Summary, names: Names): Told {
  const detail = text(it.text) || undefined;
  const by = sender(it.sender, names);
  const link = { to: `/inbox/${text(it.conversation_id)}` };
  if (it.status === 'suppressed') {
    const reason = why(text(it.reason));
    return { title: words.notSent(by), detail: detail ? `${reason}\n“${detail}”` : reason, tone: 'bad' };
  }
  if (it.direction === 'inbound') return { title: words.wrote, detail, link };
  if (it.type === 'note') return { title: words.noted(by), detail, link };
  const state = words.messageStates[text(it.status) as keyof typeof words.messageStates] ?? text(it.status);
  const reason = text(it.reason);
  return {
    title: words.sent(state, by),
    detail: reason ? `${detail ?? ''} — ${reason}` : detail,
    tone: it.status === 'failed' ? 'bad' : it.status === 'uncertain' ? 'wait' : undefined,
    link,
  };
}

/** Why nothing was sent, in plain words. */
export function why(reason: string): string {
  return words.reasons[reason as keyof typeof words.reasons] ?? reason.replaceAll('_', ' ');
}

function sender(it: unknown, names: Names): string {
  const { type, id } = record(it);
  const known = names(text(id));
  const kind = words.senders[text(type) as keyof typeof words.senders] ?? text(type);
  if (!known) return kind;
  const named: Record<string, (name: string) => string> = words.namedSenders;
  return named[text(type)]?.(known) ?? `${kind} ${known}`;
}

function step(it: Summary, names: Names): Told {
  const flow = names(text(it.flow_id)) ?? words.aFlow;
  const outcome = text(it.outcome);
  const [, reason] = /^suppressed: (\w+)/.exec(outcome) ?? [];
  const kind = text(it.type).replaceAll('_', ' ');
  return {
    title: words.step(flow, text(it.node_id), kind),
    detail: reason ? why(reason) : outcome.replaceAll(/\.\d{3}Z/g, 'Z'),
    tone: reason ? 'bad' : undefined,
    link: { to: `/flows/${text(it.flow_id)}`, search: { tab: 'runs', run: text(it.run_id) } },
  };
}

function enrollment(it: Summary, names: Names): Told {
  const name = names(text(it.sequence_id)) ?? words.aSequence;
  const state = words.enrollmentStates[text(it.status) as keyof typeof words.enrollmentStates];
  const reason = text(it.exit_reason);
  return {
    title: words.enrolled(name),
    detail: reason ? `${state}: ${exitReason(reason)}` : state,
    tone: it.status === 'failed' ? 'bad' : undefined,
  };
}

/** Why somebody left a sequence early. */
export function exitReason(reason: string): string {
  return words.exitReasons[reason as keyof typeof words.exitReasons] ?? reason.replaceAll('_', ' ');
}

function event(it: Summary, names: Names): Told {
  const type = text(it.type);
  const data = record(it.data);
  const object = record(data.object);
  const changes = changesOf(type, data, names);
  const about =
    names(text(record(data.tag).id)) ??
    names(text(object.flow_id)) ??
    names(text(object.sequence_id)) ??
    (type === 'conversation.assigned' ? names(text(object.assignee_id)) : undefined);
  const title = words.events[type as keyof typeof words.events] ?? type;
  const by = sender(it.actor, names);
  const [only] = changes;
  // One change fits into the title. Several have a line each.
  const isShort = changes.length === 1 && only;
  const lines = [...(isShort ? [] : changes.map(lineOf)), by ? words.by(by) : ''].filter(Boolean);
  const subject = isShort ? lineOf(only) : about;
  return { title: subject ? `${title}: ${subject}` : title, detail: lines.join('\n') || undefined };
}
