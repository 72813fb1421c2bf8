import type { Call } from '../components/curl';
import { texts } from '../i18n/texts';
import type { Page } from './api';
import type { Asked } from './query';

const t = texts('contacts');

/** The API request for a list, without default parameters. */
export function callOf(of: Asked | undefined): Call {
  if (of?.by === 'search') {
    const { filter, sort } = of;
    return { method: 'POST', path: '/api/v1/contacts/search', body: { filter, sort } };
  }
  const { by, ...query } = of ?? { by: 'list' as const };
  const set = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][];
  const usual = set.filter(([name, value]) => name !== 'sort' || value !== '-created_at');
  const text = new URLSearchParams(usual).toString();
  return { path: text ? `/api/v1/contacts?${text}` : '/api/v1/contacts' };
}

/** The number of contacts: the API's total, or the number of loaded rows. */
export function countOf(pages: Page[], more: boolean): string {
  const { total, total_is_capped } = (pages[0] ?? {}) as { total?: number; total_is_capped?: boolean };
  const loaded = pages.reduce((sum, page) => sum + page.data.length, 0);
  if (!more) return t('count', { count: loaded });
  if (total === undefined) return t('countLoaded', { count: loaded });
  return total_is_capped ? t('countCapped', { count: total }) : t('count', { count: total });
}
