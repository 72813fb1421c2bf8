import { texts } from '../i18n/texts';
import type { Names } from '../usage/api';
import type { AuditEntry } from './api';

const t = texts('audit');

/** What somebody is called: a person or key by name, where it is known still. */
export function whoOf({ type, id }: AuditEntry['actor'], names: Names | undefined): string {
  if (!id) return type === 'system' ? t('system') : type.replaceAll('_', ' ');
  return names?.people[id] ?? names?.keys.find((key) => key.id === id)?.name ?? id;
}

/** By whom entries are looked up: the id, or the kind of who has none. */
export function wordOf({ type, id }: AuditEntry['actor']): string {
  return id ?? type;
}
