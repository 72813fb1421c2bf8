import { regionName } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Field } from './draft';

const t = texts('settings');

export function nameOf(field: Field): string {
  return {
    name: t('name'),
    time_zone: t('zone'),
    default_country: t('workspace.country'),
    assign_on_reply: t('workspace.assignOnReply'),
    plan: t('plan'),
    opt_out_words: t('workspace.optOutWords'),
  }[field];
}

export function valueText(field: Field, value: unknown): string {
  if (field === 'default_country') return value ? regionName(String(value)) : t('workspace.countryNone');
  if (typeof value === 'boolean') return value ? t('workspace.on') : t('workspace.off');
  return Array.isArray(value) ? value.join(', ') : String(value);
}
