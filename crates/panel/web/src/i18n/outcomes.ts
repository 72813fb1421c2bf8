import { apiMessage } from './api-messages';
import { list } from './format';
import { language } from './language';
import { texts } from './texts';

const t = texts('outcomes');
const contact = texts('contact');

/** Errors with a message that contains details, such as the response of a provider. No translation contains them. */
const DETAILED = [
  'provider_failed',
  'provider_unavailable',
  'unreachable',
  'recipient_rejected',
  'message_rejected',
  'channel_rejected',
  'undeliverable',
  'provider_limit',
  'provider_rejected',
  'media_rejected',
  'invalid_template',
  'template_error',
  'condition_error',
  'not_saved',
];

interface CodedError {
  code: string;
  message: string;
}

/**
 * The error of a run, an enrollment, a message or work in the background, in the language of the page. An English page
 * shows the message of the API. Otherwise the code is translated. The message is the fallback.
 */
export function errorMessage({ code, message }: CodedError): string {
  if (language() === 'en') return message;
  const text = errorOf(code);
  if (!text) return message;
  return DETAILED.includes(code) ? t('withDetail', { text, detail: apiMessage(message) }) : text;
}

function errorOf(code: string): string | undefined {
  return t.find('errors', code) ?? contact.find('reasons', code);
}

/** A part of an outcome. */
export interface OutcomePart {
  code: string;
  params?: Record<string, string>;
}

interface Outcome {
  outcome: string;
  outcome_parts?: OutcomePart[];
}

/** The parts of an outcome; none if the API does not know them. */
export function outcomeCodes({ outcome_parts }: Outcome): string[] {
  return (outcome_parts ?? []).map((it) => it.code);
}

/**
 * The outcome of a step in the language of the page, with times as `time` writes them. The outcome of the API is the
 * fallback.
 */
export function outcomeText({ outcome, outcome_parts }: Outcome, time = (at: string) => at): string {
  const parts = (outcome_parts ?? []).map((it) => partText(it, time));
  const known = parts.filter((it) => it !== undefined);
  return known.length > 0 && known.length === parts.length ? known.join('; ') : outcome;
}

function partText({ code, params = {} }: OutcomePart, time: (at: string) => string): string | undefined {
  const { reason, detail, until, branch, arm, ...others } = params;
  const value =
    until !== undefined
      ? time(until)
      : (branchNumber(branch ?? arm) ?? reasonText(reason, detail) ?? list(Object.values(others)));
  return value ? t.find('valued', code, { value }) : t.find('outcomes', code);
}

/** The number of a branch by its index, as in the labels of exits: the first one is 1. */
function branchNumber(index: string | undefined): string | undefined {
  return index === undefined ? undefined : String(Number(index) + 1);
}

/** The reason in an outcome: an error code or the reason of a suppression, and a message in English. */
function reasonText(reason: string | undefined, detail: string | undefined): string | undefined {
  if (reason === undefined) return detail && apiMessage(detail);
  const text = ended(errorOf(reason) ?? reason.replaceAll('_', ' '));
  const isDetailed = detail !== undefined && (language() === 'en' || DETAILED.includes(reason));
  return isDetailed ? t('withDetail', { text, detail: apiMessage(detail) }) : text;
}

/** A text without its full stop, as it ends another text. */
function ended(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
