import { en } from '../i18n/en';
import type { Field } from './draft';

/** What a field is called on the page. */
export function nameOf(field: Field): string {
  return {
    name: en.workspace.name,
    time_zone: en.workspace.timeZone,
    plan: en.workspace.plan,
    opt_out_words: en.workspace.optOutWords,
  }[field];
}
