import { sentence } from '../api/problem';
import { shownOf } from '../attachments/attached';
import { replacedInWords } from '../components/replaced-features';
import { nodeTypeName } from '../i18n/node-types';
import { errorMessage, outcomeCodes, outcomeText } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import type { Attachment } from '../inbox/files/media';
import { decisionInWords, outcomeInWords, passInWords } from './phrases';
import type { Entry, Moment, Simulated, Story } from './story';

const t = texts('simulation');

/** A line of the simulated conversation. */
export interface Line {
  kind: 'said' | 'sent' | 'note' | 'fact';
  text: string;
  at: string;
  /** Its index in the trace. */
  moment: number;
  replies?: string[];
  /** The files of the message. */
  files?: Attachment[];
  /** What the channel replaces in the message. */
  replaced?: string;
  /** The ID of its node or step. */
  of?: string;
  bad?: boolean;
}

/** The result of a simulation as lines. */
export function linesOf(story: Story, { trace }: Pick<Simulated, 'trace'>): Line[] {
  return trace.flatMap((it, moment) => lines(story, it).map((line) => ({ at: it.at, moment, ...line })));
}

type Told = Omit<Line, 'at' | 'moment'>;

function lines(story: Story, moment: Moment): Told[] {
  switch (moment.type) {
    case 'entry':
      return entry(story.script?.[moment.entry], moment);
    case 'node':
      return node(moment, story.contact?.time_zone);
    case 'step':
      return step(moment);
    case 'call':
      return [{ kind: 'fact', text: call(moment), of: moment.node_id }];
    case 'end':
      return end(moment);
  }
}

function call({ method, url, status }: Of<'call'>): string {
  return status === null
    ? t('callFailed', { method, url })
    : t('call', { method, url, status: String(status) });
}

function entry(meant: Entry | undefined, { code, said }: Of<'entry'>): Told[] {
  if (code === 'not_received') return [{ kind: 'fact', text: t('notReceived') }];
  if (meant?.message !== undefined) {
    const message: Told = { kind: 'said', text: meant.message };
    return meant.ref ? [{ kind: 'fact', text: t('cameByLink', { ref: meant.ref }) }, message] : [message];
  }
  if (meant?.advance) return [{ kind: 'fact', text: passInWords(meant.advance) }];
  if (meant?.event) return [{ kind: 'fact', text: t('eventHappens', { name: meant.event }) }];
  return [{ kind: 'fact', text: sentence(said) }];
}

type Of<Type extends Moment['type']> = Extract<Moment, { type: Type }>;

/** Outcomes without a line, because the message or the call has one. */
const SILENT = ['queued', 'completed', 'noted', 'calls'];

function node(it: Of<'node'>, zone: string | undefined): Told[] {
  const of = it.node_id;
  const told: Told[] = [];
  const { message } = it;
  if (message?.type === 'note') told.push({ kind: 'note', text: message.text ?? '', of });
  else if (message?.sent) told.push(sent(message, of));
  const codes = outcomeCodes(it);
  const silent = (codes.length > 0 && codes.every((code) => SILENT.includes(code))) || it.decision !== null;
  if (!silent) {
    const text = t('outcome', {
      type: nodeTypeName(it.node_type),
      outcome: outcomeInWords(it, zone),
    });
    told.push({ kind: 'fact', text: sentence(text), of });
  }
  if (it.decision) {
    for (const text of [sentence(outcomeText(it)), ...decisionInWords(it.decision)])
      told.push({ kind: 'fact', text, of });
  }
  return told;
}

function step(it: Of<'step'>): Told[] {
  const of = it.step_id ?? undefined;
  const told: Told[] = it.message?.sent ? [sent(it.message, of)] : [];
  if (!outcomeCodes(it).includes('queued')) told.push({ kind: 'fact', text: sentence(outcomeText(it)), of });
  return told;
}

function sent(message: NonNullable<Of<'node'>['message']>, of: string | undefined): Told {
  const files = message.attachments.length;
  const text =
    message.text ||
    (message.template
      ? t('template', { name: message.template.name })
      : files > 0
        ? t('attachments', { count: files })
        : t('noWords'));
  const replies = message.quick_replies.map((it) => it.title);
  const replaced = replacedInWords(message.degraded);
  return {
    kind: 'sent',
    text,
    replies,
    of,
    ...(files > 0 && { files: message.attachments.map(shownOf) }),
    ...(replaced !== '' && { replaced }),
  };
}

function end(it: Of<'end'>): Told[] {
  const error = it.run_error ?? it.enrollment_error;
  const status = it.run_status ?? it.enrollment_status ?? '';
  const known = it.run_status
    ? t.find('runEnds', status)
    : (t.find('exits', it.exit_reason) ?? t.find('enrollmentEnds', status));
  const what = known ?? t('ended', { status });
  return [
    {
      kind: 'fact',
      text: error ? `${what} ${sentence(errorMessage(error))}` : what,
      bad: error !== null,
      of: it.run_error?.node_id ?? undefined,
    },
  ];
}

/** The quick replies that the contact can choose now. */
export function choicesOf(all: Line[]): string[] {
  const last = all.findLast((it) => it.kind === 'sent' || it.kind === 'said');
  return last?.kind === 'sent' ? (last.replies ?? []) : [];
}
