import { texts } from '../i18n/texts';
import type { Field } from './draft';

const t = texts('settings');

/** What a field is called on the page. */
export function nameOf(field: Field): string {
  return {
    name: t('workspace.name'),
    time_zone: t('workspace.timeZone'),
    plan: t('workspace.plan'),
    opt_out_words: t('workspace.optOutWords'),
  }[field];
}
