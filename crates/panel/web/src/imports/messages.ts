import { type Fault, sentence } from '../api/problem';
import { language } from '../i18n/language';
import { faultMessage } from '../i18n/problems';
import { texts } from '../i18n/texts';

const t = texts('imports');

/**
 * The message of a fault in a table. The API's English messages name the accepted values, so an English page
 * shows them. In another language the code is translated.
 */
export function tableMessage({ code, message }: Pick<Fault, 'code' | 'message'>): string {
  const translated = language() !== 'en' && (t.find('reasons', code) ?? t.find('faults', code));
  return translated || sentence(faultMessage({ code, message }));
}

/** The reason of a code, without the value of a cell. */
export function reasonText(code: string, message: string): string {
  return t.find('reasons', code) ?? sentence(faultMessage({ code, message }));
}
