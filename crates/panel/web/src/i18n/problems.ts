import type { Fault, Problem } from '../api/problem';
import { language } from './language';
import { texts } from './texts';

const t = texts('problems');

/**
 * The message of a problem in the language of the page. Messages of the API are English and often name the value, so
 * an English page shows them; in another language the code is translated. The message is the fallback.
 */
export function problemMessage({ code, detail }: Pick<Problem, 'code' | 'detail'>): string {
  return (language() !== 'en' && t.find('codes', code)) || detail;
}

/** The message of a fault of one value, in the same way. */
export function faultMessage({ code, message }: Pick<Fault, 'code' | 'message'>): string {
  return (language() !== 'en' && t.find('faults', code)) || message;
}
