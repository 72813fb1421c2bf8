import { type Fault, sentence } from '../api/problem';
import { apiMessage } from '../i18n/api-messages';
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
  return translated || sentence(general({ code, message }));
}

/** The message of an error of a whole row. Some codes have another meaning for the table as a whole. */
export function rowMessage(fault: Pick<Fault, 'code' | 'message'>): string {
  return (language() !== 'en' && t.find('rowReasons', fault.code)) || tableMessage(fault);
}

/** The reason of a code, without the value of a cell. `column` is empty for the whole row. */
export function reasonText(column: string, code: string, message: string): string {
  const ofRow = column === '' ? t.find('rowReasons', code) : undefined;
  return ofRow ?? t.find('reasons', code) ?? sentence(general({ code, message }));
}

/** The message of a code without a text for tables. A known message says more than its code. */
function general(fault: Pick<Fault, 'code' | 'message'>): string {
  const translated = apiMessage(fault.message);
  return translated === fault.message ? faultMessage(fault) : translated;
}
