import { language } from './language';
import { texts } from './texts';

const t = texts('outcomes');
const contact = texts('contact');

/** Errors whose message has a detail that no translation contains, such as the answer of a provider. */
const DETAILED = [
  'provider_failed',
  'provider_unavailable',
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
  return DETAILED.includes(code) ? t('withDetail', { text, detail: message }) : text;
}

function errorOf(code: string): string | undefined {
  return t.find('errors', code) ?? contact.find('reasons', code);
}

/** The outcomes that contain a value, each with its text. */
const PATTERNS: [RegExp, (value: string) => string][] = [
  [/^waits until (.+)$/, (time) => t('patterns.waitsUntil', { time })],
  [
    /^suppressed: (\w+)$/,
    (code) => t('patterns.notSent', { reason: ended(contact.find('reasons', code) ?? code) }),
  ],
  [
    /^failed: (\w+); handed over to agents$/,
    (code) => t('patterns.failedHandedOver', { reason: ended(errorOf(code) ?? code) }),
  ],
  [/^failed: (.+)$/, (code) => t('patterns.failed', { reason: ended(errorOf(code) ?? code) })],
  [/^started (\S+)$/, (run) => t('patterns.startedRun', { run })],
  [/^already running: (\S+)$/, (run) => t('patterns.alreadyRunning', { run })],
  [/^called (\S+)$/, (run) => t('patterns.called', { run })],
  [/^answered (.+)$/, (status) => t('patterns.answered', { status })],
  [/^the run takes arm (\S+)$/, (arm) => t('patterns.arm', { arm })],
  [/^the condition of branch (\S+) matches$/, (branch) => t('patterns.branch', { branch })],
  [/^not valid: (.+)$/, (reason) => t('patterns.notValid', { reason })],
  [/^not set: (.+)$/, (reason) => t('patterns.notSet', { reason })],
  [/^event received, saved to (\S+)$/, (field) => t('patterns.savedTo', { field })],
];

/** The outcome of a step in the language of the page. The outcome of the API is the fallback. */
export function outcomeText(outcome: string): string {
  if (language() === 'en') return outcome;
  const known = t.find('outcomes', outcome.replaceAll(/\W+/g, '_'));
  if (known) return known;
  for (const [pattern, text] of PATTERNS) {
    const value = pattern.exec(outcome)?.[1];
    if (value !== undefined) return text(value);
  }
  return outcome;
}

/** A text without its full stop, as it ends another text. */
function ended(text: string): string {
  return text.replace(/\.$/, '');
}
