import type { Fault, Problem } from '../api/problem';
import { language } from './language';
import { texts } from './texts';

const t = texts('problems');

type Message = Pick<Problem, 'code' | 'detail'> & Partial<Pick<Problem, 'status' | 'retryAfter'>>;

/** The hint about the header `Retry-After` in messages of the API. */
const RETRY = /retry after `Retry-After` seconds/i;

/**
 * The message of a problem in the language of the page. Messages of the API are English and often name the value, so
 * an English page shows them; in another language the code is translated. The message is the fallback. If another
 * attempt can succeed, the message says after how many seconds.
 */
export function problemMessage({ code, detail, status, retryAfter }: Message): string {
  const translated = language() === 'en' ? undefined : t.find('codes', code);
  const message = translated ?? detail;
  const retry = retryAfter === undefined ? t('retryLater') : t('retryIn', { count: retryAfter });
  if (RETRY.test(message)) return message.replace(RETRY, (found) => inPlaceOf(found, retry));
  const passes = RETRY.test(detail) || (status === 429 && retryAfter !== undefined);
  return passes ? `${withStop(message)} ${retry}` : message;
}

/** Adapts a sentence that replaces `found`: without a full stop, and in lower case within a sentence. */
function inPlaceOf(found: string, sentence: string): string {
  const words = sentence.replace(/\.$/, '');
  return found.startsWith('R') ? words : words.charAt(0).toLowerCase() + words.slice(1);
}

const withStop = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

type Wrong = Pick<Fault, 'code' | 'message' | 'pointer'>;

/**
 * The message of an error in one value, translated in the same way. For an attribute with a known format, the message
 * has the label of its field and an example.
 */
export function faultMessage({ code, message, pointer }: Wrong): string {
  const format = ['invalid_format', 'invalid_value'].includes(code) && formatOf(pointer);
  return format || (language() !== 'en' && t.find('faults', code)) || message;
}

/** The format of the attribute at the end of a pointer. A custom field may have the same name and another format. */
function formatOf(pointer = ''): string | undefined {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const isCustom = pointer.includes('/custom_fields/');
  return isCustom ? undefined : t.find('formats', name, { field: t.find('attributeNames', name) ?? name });
}
