import type { components } from '../api/schema';
import { list } from '../i18n/format';
import { language } from '../i18n/language';
import { texts } from '../i18n/texts';
import type { Column } from './check';
import { formatName } from './formats';

const t = texts('imports');

/** The most options that are named. */
const MAX_OPTIONS = 10;
const STATUSES = ['active', 'blocked'];

/** Values of targets and types of fields that have one format. */
const EXAMPLES: Record<string, string> = {
  email: 'ada@example.com',
  url: 'https://example.com/',
  avatar_url: 'https://example.com/ada.png',
  phone: '+49 30 1234567',
  locale: 'pt-BR',
  time_zone: 'Europe/Berlin',
};

/**
 * Values that fit a column. The English messages of the API name them for each cell, so an English page gets
 * `undefined`. The translated messages name the reason only.
 */
export function expectedOf(
  { target, format }: Column,
  fields: components['schemas']['CustomField'][],
): string | undefined {
  if (language() === 'en' || !target) return undefined;
  const field = fields.find(({ key }) => `custom_fields.${key}` === target);
  const options = target === 'status' ? STATUSES : (field?.options ?? []);
  const values =
    options.length > 0
      ? list(options.slice(0, MAX_OPTIONS), 'disjunction')
      : (ofFormat(format ?? '') ?? EXAMPLES[field?.type ?? target]);
  return values && t('expected', { values });
}

/** A value in a format. `undefined` if the format alone does not tell. */
function ofFormat(format: string): string | undefined {
  switch (format.split(':')[0]) {
    case 'number':
    case 'date':
    case 'date_time':
      return formatName(format);
    case 'yes_no':
      return t('yesOrNo');
    default:
      return undefined;
  }
}
