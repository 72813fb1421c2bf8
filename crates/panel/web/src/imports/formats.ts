import { countriesByName } from '../components/countries';
import { date, list, number, regionName } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Kind } from './targets';

const t = texts('imports');

const NUMBERS = ['1234.5', '1234,5', '1,234.5', '1.234,5', '1 234,5', '1 234.5', "1'234.5", "1'234,5"];

/** Date formats, each with an example that only this format can read. */
const DATES: Record<string, string> = {
  'yyyy-mm-dd': '2026-05-31',
  'dd.mm.yyyy': '31.05.2026',
  'dd/mm/yyyy': '31/05/2026',
  'mm/dd/yyyy': '05/31/2026',
  'dd-mm-yyyy': '31-05-2026',
  'mm-dd-yyyy': '05-31-2026',
  'yyyy/mm/dd': '2026/05/31',
  'yyyy.mm.dd': '2026.05.31',
  yyyymmdd: '20260531',
};
const LISTS = [',', ';', '|', 'line', ':::', 'json'];

interface Option {
  value: string;
  label: string;
}
interface Group {
  group: string;
  items: Option[];
}

/** The formats of a kind, for a select. */
export function formatOptions(kind: Kind): (Option | Group)[] {
  const option = (value: string) => ({ value, label: formatName(value) });
  const dates = (prefix: string, suffix = '') => Object.keys(DATES).map((it) => option(prefix + it + suffix));
  switch (kind) {
    case 'number':
      return NUMBERS.map((it) => option(`number:${it}`));
    case 'yes_no':
      return ['yes_no', 'yes_no:inverted'].map(option);
    case 'full_name':
      return ['full_name', 'full_name:last_first'].map(option);
    case 'date':
      return dates('date:');
    case 'date_time':
      return [
        { group: t('withTime'), items: dates('date_time:') },
        { group: t('withZone'), items: dates('date_time:', '+zone') },
        { group: t('withoutTime'), items: dates('date:') },
      ];
    case 'list':
    case 'choices':
      return LISTS.map((it) => option(`${kind}:${it}`));
    case 'phone':
      return [
        { group: t('anyCountry'), items: ['phone', 'phone:digits'].map(option) },
        { group: t('oneCountry'), items: countriesByName().map((it) => option(`phone:${it}`)) },
      ];
  }
}

/** The name of a format for users, usually an example. */
export function formatName(format: string): string {
  const colon = format.indexOf(':');
  const [kind, form] = colon < 0 ? [format, ''] : [format.slice(0, colon), format.slice(colon + 1)];
  switch (kind) {
    case 'number':
      return form;
    case 'date':
      return DATES[form] ?? form;
    case 'date_time':
      return `${DATES[form.replace('+zone', '')] ?? form} 18:00${form.endsWith('+zone') ? ' +02:00' : ''}`;
    case 'list':
    case 'choices':
      return t.find('lists', form) ?? form;
    case 'yes_no':
      return form ? t('inverted') : t('notInverted');
    case 'full_name':
      return form ? t('lastNameFirst') : t('firstNameFirst');
    case 'phone':
      if (form === '') return t('international');
      return form === 'digits' ? t('withoutPlus') : regionName(form);
    default:
      return format;
  }
}

/** The value of a cell in a format, for users: `2026-04-03` becomes "3 April 2026". */
export function reading(value: string, format: string): string {
  const [kind] = format.split(':');
  const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  if (kind === 'number') return number(Number(value), { maximumFractionDigits: 20 });
  if (kind === 'yes_no') return value === 'yes' ? t('yes') : t('no');
  if (kind === 'list' || kind === 'choices') return list(value.split('|'));
  if (kind === 'date' && isTime(value)) return date(value, day);
  if (kind === 'date_time' && isTime(value)) {
    const local = value.replace(/(Z|[+-]\d\d:\d\d)$/, '');
    return date(`${local}Z`, { ...day, hour: '2-digit', minute: '2-digit' });
  }
  return value;
}

const isTime = (value: string) => !Number.isNaN(Date.parse(value));
